import { stringifyJson } from "../../exact-json";
import type { Operation } from "../../operation";
import { SvcError } from "../../platform-client";
import { connect } from "../connect";
import { EXIT } from "../errors";
import type { Io } from "../io";
import { moduleText } from "../module-text";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";

const PATH = "/v1/edge/functions";
const SENT = { noun: "edge", credential: "platform", body: true } as const;
const CREATE: Operation = { ...SENT, verb: "create", method: "POST", path: PATH, idempotent: true };
const UPDATE: Operation = { ...SENT, verb: "update", method: "PATCH", path: `${PATH}/{id}` };
const PUBLISH: Operation = { ...SENT, verb: "publish", method: "POST", path: `${PATH}/{id}/publish` };

interface Deployed {
  id: string;
  name: string;
  url: string;
  version: number;
}

/** `svc edge deploy`: the next draft of the edge function of that name, which is created if there is none, published. */
export async function deployEdgeFunction({ input, flags }: Arguments, io: Io): Promise<number> {
  const { id, file, ...more } = input as { id: string; file: string; bindings?: unknown; env?: unknown };
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const fields = { code: await moduleText(file, io), ...more };
  const update = async () => call(UPDATE, { id, ...fields }, {});
  const draft = (await update().catch((failure: unknown) => {
    if (id.startsWith("edg_") || !isUnknown(failure)) throw failure;
    return call(CREATE, { name: id, ...fields }, {});
  })) as Deployed;
  const { version } = draft;
  const deployed = flags.draft ? draft : ((await call(PUBLISH, { id: draft.id, version }, {})) as Deployed);
  const text = `${flags.draft ? "Stored" : "Published"} ${cellText(deployed.name)}, version ${version}: ${deployed.url}`;
  io.stdout.write(flags.json ? `${stringifyJson(deployed, 2)}\n` : `${text}\n`);
  return EXIT.ok;
}

const isUnknown = (failure: unknown): boolean => failure instanceof SvcError && failure.status === 404;
