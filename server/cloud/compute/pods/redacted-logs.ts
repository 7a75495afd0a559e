import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { LogOptions } from "../../../engines/runtime/runtime";
import { createRedactor } from "../../data/secrets/redactor";

/** In its longest form, URL-encoded, each byte of a value takes three. */
const LONGEST_FORM = 3;

export interface LogSource {
  open: (options: LogOptions) => Readable;
  /** The values of secrets that must not be shown. */
  secrets: readonly string[];
}

/** The last bytes of the output so far, without the values of secrets. */
export async function readLogText({ open, secrets }: LogSource, tailBytes: number): Promise<string> {
  const margin = marginOf(secrets);
  const bytes = await firstBytes(open({ tailBytes: tailBytes + margin }), tailBytes + margin);
  const text = createRedactor(secrets).redact(bytes.toString("utf8"));
  return bytes.length < tailBytes + margin ? text : text.slice(margin);
}

/** Like `readLogText`, and goes on until the workload has ended or the signal aborts. */
export async function* followLogText(
  { open, secrets }: LogSource,
  { tailBytes, signal }: { tailBytes: number; signal: AbortSignal },
): AsyncGenerator<string> {
  const margin = marginOf(secrets);
  const bytesMax = tailBytes + margin;
  const isCut = margin > 0 && (await firstBytes(open({ tailBytes: bytesMax + 1 }), bytesMax + 1)).length > bytesMax;
  const stream = open({ follow: true, tailBytes: margin > 0 && !isCut ? undefined : tailBytes + margin });
  const abort = () => stream.destroy();
  signal.addEventListener("abort", abort, { once: true });
  const decoder = new StringDecoder("utf8");
  const redacted = createRedactor(secrets).stream();
  let hidden = isCut ? margin : 0;
  try {
    for await (const chunk of stream) {
      const text = redacted.push(decoder.write(chunk as Buffer));
      const shown = text.slice(hidden);
      hidden = Math.max(0, hidden - text.length);
      if (shown !== "") yield shown;
    }
    const rest = (redacted.push(decoder.end()) + redacted.end()).slice(hidden);
    if (rest !== "") yield rest;
  } catch (cause) {
    // A stream that is destroyed while it is read fails.
    if (!signal.aborted) throw cause;
  } finally {
    signal.removeEventListener("abort", abort);
    stream.destroy();
  }
}

/** A tail may begin within a value, which could then not be found: so many bytes more are read, and not shown. */
const marginOf = (secrets: readonly string[]): number =>
  Math.max(0, ...secrets.map((value) => Buffer.byteLength(value))) * LONGEST_FORM;

/** At most so many bytes, even if the node of the workload sends more. */
async function firstBytes(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = bytesMax;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
    // Ends the stream.
    if (left === 0) break;
  }
  return Buffer.concat(chunks);
}
