import { inputIssue, sizeIssue } from "../../kernel/bounded-input";
import { parseAsWritten } from "../../kernel/exact-number";
import { ROW_LIMITS } from "./feed-limits";
import { type FeedLine, type LineProblem, lineTooLong } from "./feed-line";
import { linesOf } from "./text-lines";

const { bytesMax, depthMax, valuesMax } = ROW_LIMITS;
const LINE_LIMITS = { bytes: bytesMax, depth: depthMax, nodes: valuesMax };

const noObject: LineProblem = { code: "invalid_json", message: "expected one JSON object on this line" };
const tooComplex: LineProblem = {
  code: "too_complex",
  message: `expected at most ${depthMax} levels and ${valuesMax} values in one product`,
};

/** One JSON object per line; blank lines are skipped, and a line that is not an object is reported as an error. */
export async function* ndjsonLines(texts: AsyncIterable<string>): AsyncGenerator<FeedLine> {
  for await (const { text, line } of linesOf(texts)) {
    const read = readLine(text, line);
    if (read) yield read;
  }
}

function readLine(text: string | undefined, line: number): FeedLine | undefined {
  if (text === undefined) return { line, problem: lineTooLong };
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
    return parseAsWritten(text);
  } catch {
    return undefined;
  }
}
