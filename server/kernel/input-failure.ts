import { z } from "zod";
import { ServiceError } from "./errors";
import { ExactNumber } from "./exact-number";
import { fieldPath } from "./field-path";

const NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
};

/** The message for a schema without its own, in the form that `z.config` expects; undefined leaves it to zod. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return typeText(issue.expected, issue.input);
    case "too_small":
      return boundText(issue, { bound: issue.minimum, side: issue.inclusive === false ? "more than" : "at least" });
    case "too_big":
      return boundText(issue, { bound: issue.maximum, side: issue.inclusive === false ? "less than" : "at most" });
    case "invalid_value":
      return `expected ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(quoted).join(", ")}`;
    case "invalid_key":
      return keyText(issue.issues[0]?.message);
    default:
      return undefined;
  }
}

const keyText = (why: string | undefined): string => `a name that cannot be used${why ? `: ${why}` : ""}`;

/** One invalid field; `param` is its path such as `signals[0].confidence`, "" for the input itself. */
export interface InputIssue {
  param: string;
  message: string;
}

/** Every invalid field of an input. */
export const inputIssues = ({ issues }: z.ZodError): InputIssue[] =>
  issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? {
          param: fieldPath([...issue.path, issue.keys[0] ?? ""]),
          message: "this field is not known here; leave it out.",
        }
      : { param: fieldPath(issue.path), message: sentence(issue.message) },
  );

/** `invalid_request` for the first invalid field; the cause lists all of them. */
export function inputFailure(error: z.ZodError): ServiceError {
  const [first] = inputIssues(error);
  const param = first?.param || "body";
  return new ServiceError("invalid_request", `${param}: ${first?.message ?? "not valid."}`, { param, cause: error });
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** `signals[0].confidence`, at most 200 characters. */

function typeText(expected: string, input: unknown): string {
  const wanted = NAMES[expected] ?? expected;
  if (input === undefined) return `missing, expected ${wanted}`;
  const isExact = input instanceof ExactNumber;
  if (isExact && expected === "number") {
    return `expected ${wanted} from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
  }
  const given = isExact ? "number" : z.util.parsedType(input);
  return expected === "int" && given === "number"
    ? `expected ${wanted}`
    : `expected ${wanted}, not ${NAMES[given] ?? given}`;
}

interface Bound {
  bound: number | bigint;
  side: string;
}

function boundText({ origin }: { origin: string }, { bound, side }: Bound): string {
  const [one, many] = UNITS[origin] ?? [];
  return many
    ? `expected ${side} ${bound} ${Number(bound) === 1 ? one : many}`
    : `expected a number of ${side} ${bound}`;
}

const quoted = (value: unknown): string => (typeof value === "string" ? `"${value}"` : String(value));
