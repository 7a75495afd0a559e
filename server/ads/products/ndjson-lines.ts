import { inputIssue, sizeIssue } from "../../kernel/bounded-input";
import { ROW_LIMITS } from "./feed-limits";
import { type FeedLine, type LineProblem, lineTooLong } from "./feed-line";

const NEWLINE = 0x0a;
const { bytesMax, depthMax, valuesMax } = ROW_LIMITS;
const LINE_LIMITS = { bytes: bytesMax, depth: depthMax, nodes: valuesMax };

const noObject: LineProblem = { code: "invalid_json", message: "expected one JSON object on this line" };
const tooComplex: LineProblem = {
  code: "too_complex",
  message: `expected at most ${depthMax} levels and ${valuesMax} values in one product`,
};

/** One JSON object per line; blank lines are skipped, and a line that is not an object is reported as an error. */
export async function* ndjsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FeedLine> {
  const line = new LineBytes();
  let number = 1;
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      if (at > from) line.add(chunk.subarray(from, at));
      const read = line.length > 0 ? readLine(line.take(), number) : undefined;
      if (read) yield read;
      from = at + 1;
      number++;
    }
    if (from < chunk.length) line.add(chunk.subarray(from));
  }
  const last = line.length > 0 ? readLine(line.take(), number) : undefined;
  if (last) yield last;
}

/** The bytes of one line; bytes over the limit are discarded. */
class LineBytes {
  length = 0;
  #parts: Uint8Array[] = [];

  add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > bytesMax) this.#parts = [];
    else this.#parts.push(part);
  }

  /** The whole line, or undefined if it is too long. */
  take(): Buffer | undefined {
    const line = this.length > bytesMax ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.length = 0;
    return line;
  }
}

function readLine(bytes: Buffer | undefined, line: number): FeedLine | undefined {
  if (!bytes) return { line, problem: lineTooLong };
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (text.trim() === "") return undefined;
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { line, problem: noObject };
  if (sizeIssue(value, LINE_LIMITS)) return { line, problem: tooComplex };
  const issue = inputIssue(value, LINE_LIMITS);
  if (issue) return { line, problem: { code: "invalid_field", message: `${issue.param}: ${issue.message}` } };
  return { line, fields: value as Record<string, unknown> };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
