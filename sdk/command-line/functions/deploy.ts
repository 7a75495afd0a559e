import { stringifyJson } from "../../exact-json";
import type { Operation } from "../../operation";
import { SvcError } from "../../platform-client";
import { connect } from "../connect";
import { EXIT } from "../errors";
import type { Io } from "../io";
import { moduleText } from "../module-text";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";

const POST = { noun: "functions", method: "POST", credential: "platform", body: true, idempotent: true } as const;
const DEPLOY: Operation = { ...POST, verb: "deploy", path: "/v1/functions/{id}/versions" };
const CREATE: Operation = { ...POST, verb: "create", path: "/v1/functions" };

interface Deployed {
  id: string;
  name: string;
  version: number;
}

/** `svc functions deploy`: a version of the function of that name, which is created if there is none. */
export async function deployFunction({ input, flags }: Arguments, io: Io): Promise<number> {
  const { id, file, handler } = input as { id: string; file: string; handler?: string };
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const code = await moduleText(file, io);
  const fields = { code, ...(handler !== undefined && { handler }) };
  const deploy = async () => call(DEPLOY, { id, ...fields }, {});
  const create = async () => call(CREATE, { name: id, ...fields }, {});
  const isId = id.startsWith("fnc_");
  const deployed = (await deploy().catch((failure: unknown) => {
    if (isId || !isUnknown(failure)) throw failure;
    return create();
  })) as Deployed;
  if (flags.json) io.stdout.write(`${stringifyJson(deployed, 2)}\n`);
  else io.stdout.write(`Deployed ${cellText(deployed.name)} (${deployed.id}), version ${deployed.version}.\n`);
  return EXIT.ok;
}

const isUnknown = (failure: unknown): boolean => failure instanceof SvcError && failure.status === 404;
