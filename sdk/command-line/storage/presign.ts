import type { Operation } from "../../operation";
import { connect } from "../connect";
import { EXIT, UsageError } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { readObjectAddress } from "./address";

const PRESIGN: Operation = {
  noun: "storage",
  verb: "presign",
  method: "POST",
  path: "/v1/storage/presign",
  credential: "platform",
  body: true,
};
const SECONDS_MAX = 604_800;
const UNITS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

interface Presigned {
  url: string;
  method: string;
  headers?: Record<string, string>;
  expires_at: string;
}

/** `svc storage presign`: prints a URL that works without a key. */
export async function presign(read: Arguments, io: Io): Promise<number> {
  const { bucket, key } = readObjectAddress(String(read.input.address));
  const { put, expires = "1h", "content-type": contentType, json } = read.flags;
  const input = {
    bucket,
    key,
    operation: put ? "put_object" : "get_object",
    expires_in: readDuration(String(expires)),
    ...(contentType === undefined ? {} : { content_type: contentType }),
  };
  const call = connect("platform", read.flags["base-url"] as string | undefined, io);
  const made = (await call(PRESIGN, input, {})) as Presigned;
  if (json) io.stdout.write(`${JSON.stringify(made, null, 2)}\n`);
  else io.stdout.write(`${made.url}\n`);
  const headers = Object.entries(made.headers ?? {});
  if (!json && headers.length > 0) {
    const lines = headers.map(([name, value]) => `  ${name}: ${value}\n`);
    io.stderr.write(`Send the ${made.method} request with:\n${lines.join("")}`);
  }
  return EXIT.ok;
}

/** `90`, `15m`, `1h` or `7d` in seconds. @throws UsageError for others, and for more than 7 days. */
export function readDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,7})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? 1);
  if (count !== "" && seconds >= 1 && seconds <= SECONDS_MAX) return seconds;
  throw new UsageError(`--expires: it must be a time such as 15m, 1h or 7d, up to 7d, not "${text.slice(0, 80)}".`);
}
