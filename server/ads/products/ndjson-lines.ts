import { type FeedLine, LINE_BYTES_MAX, lineTooLong } from "./feed-line";

const NEWLINE = 0x0a;

/** One JSON object a line; blank lines are skipped, a line that is no object is a problem of its own. */
export async function* ndjsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FeedLine> {
  let number = 1;
  for await (const line of byteLines(bytes)) {
    const read = line === undefined ? { line: number, problem: lineTooLong } : readLine(line, number);
    if (read) yield read;
    number++;
  }
}

/** The bytes between newlines; undefined for a line over the limit, of which nothing is kept. */
async function* byteLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array) => {
    length += part.length;
    if (length > LINE_BYTES_MAX) parts = [];
    else parts.push(part);
  };
  const finish = () => {
    const line = length > LINE_BYTES_MAX ? undefined : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      yield finish();
      from = at + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0) yield finish();
}

function readLine(bytes: Buffer, line: number): FeedLine | undefined {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return undefined;
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { line, fields: value as Record<string, unknown> };
  }
  return { line, problem: { code: "invalid_json", message: "expected one JSON object on this line" } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
