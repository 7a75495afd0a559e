import { readFileSync } from "node:fs";
import { stringifyJson } from "../../exact-json";
import type { Operation } from "../../operation";
import { connect } from "../connect";
import { EXIT, UsageError } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { cellText } from "../terminal-text";

const PATH = "/v1/secrets/{name}";
const PUT: Operation = {
  noun: "secrets",
  verb: "put",
  method: "PUT",
  path: PATH,
  credential: "platform",
  body: true,
};
const REVEAL: Operation = {
  noun: "secrets",
  verb: "reveal",
  method: "GET",
  path: `${PATH}/value`,
  credential: "platform",
  query: ["tenant", "version"],
};
const VALUE_BYTES_MAX = 64 * 1024;

interface Stored {
  name: string;
  version: number;
}

/** `svc secrets put`: stores what is typed, piped or in a file. */
export async function putSecret({ input, flags }: Arguments, io: Io): Promise<number> {
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const value = await readValue(flags, io);
  if (value === "") throw new UsageError("The value is empty.");
  if (Buffer.byteLength(value) > VALUE_BYTES_MAX) throw new UsageError("The value has more than 64 KiB.");
  const body = { ...input, value, ...(flags.tenant ? { tenant: true } : {}) };
  const stored = (await call(PUT, body, {})) as Stored;
  if (flags.json) io.stdout.write(`${stringifyJson(stored, 2)}\n`);
  else io.stdout.write(`Stored ${cellText(stored.name)}, version ${stored.version}.\n`);
  return EXIT.ok;
}

async function readValue(flags: Arguments["flags"], io: Io): Promise<string> {
  const { value, "value-file": file } = flags as { value?: string; "value-file"?: string };
  if (value !== undefined && file !== undefined)
    throw new UsageError("Give one of --value and --value-file, not both.");
  if (value !== undefined) {
    io.stderr.write("svc: --value is in the history of your shell; pipe the value instead, or use --value-file.\n");
    return value;
  }
  if (file !== undefined) return textOf(readFileSync(file));
  if (io.isInteractive) return io.ask("Value: ", { hidden: true });
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.input()) chunks.push(chunk);
  return textOf(Buffer.concat(chunks)).replace(/\r?\n$/, "");
}

/** Other bytes than UTF-8 would come back as others. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError("The value is not UTF-8 text; store binary values in base64.");
  }
}

/** `svc secrets reveal`: the value as it is stored; on a terminal its line is ended. */
export async function revealSecret({ input, flags }: Arguments, io: Io): Promise<number> {
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const { tenant, version } = flags;
  const query = { ...(tenant ? { tenant } : {}), ...(version === undefined ? {} : { version }) };
  const revealed = (await call(REVEAL, { ...input, ...query }, {})) as { value: string };
  if (flags.json) io.stdout.write(`${stringifyJson(revealed, 2)}\n`);
  else io.stdout.write(io.stdout.isTTY ? `${revealed.value}\n` : revealed.value);
  return EXIT.ok;
}
