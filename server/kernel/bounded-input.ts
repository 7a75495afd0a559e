import { ServiceError } from "./errors";
import { ExactNumber } from "./exact-number";
import { fieldPath } from "./field-path";
import type { InputIssue } from "./input-failure";

/** What is wrong with a parsed value, and where. */
export interface BoundsIssue extends InputIssue {
  /** The segments of `param`. */
  path: (string | number)[];
}

export interface InputLimits {
  /** Nesting depth of lists and objects. */
  depth: number;
  /** Number of values in total, including lists and objects. */
  nodes: number;
  /** Total size of all texts and field names in UTF-8. */
  bytes: number;
}

/** Limits for any parsed input, on every surface; far more than any schema accepts. */
export const INPUT_LIMITS: InputLimits = { depth: 32, nodes: 10_000, bytes: 256 * 1024 };

const STORABLE_TEXT = "must not contain NUL characters or broken surrogate pairs";

/** Returns a parsed value; throws `invalid_request` with `param` if `inputIssue` rejects it. */
export function boundedInput<T>(value: T, limits = INPUT_LIMITS): T {
  const issue = inputIssue(value, limits);
  if (!issue) return value;
  throw new ServiceError("invalid_request", issue.message, { param: issue.param || "body" });
}

/**
 * Why a parsed value is not accepted as an input, and where; undefined for a valid one within `limits`. Its running
 * time is bounded by the limits: a value that is reached by two paths counts twice, and the walk ends at the first
 * exceeded limit. PostgreSQL stores neither NUL characters nor half a surrogate pair, and `__proto__` would change an
 * object that it is copied to.
 */
export function inputIssue(value: unknown, limits = INPUT_LIMITS): BoundsIssue | undefined {
  return issueOf(value, { limits, refusesContent: true });
}

/** Like `inputIssue`, but checks only the size. */
export function sizeIssue(value: unknown, limits: InputLimits): BoundsIssue | undefined {
  return issueOf(value, { limits, refusesContent: false });
}

function issueOf(value: unknown, options: Pick<Walk, "limits" | "refusesContent">): BoundsIssue | undefined {
  const walk: Walk = { ...options, nodes: 0, bytes: 0, path: [] };
  const message = messageAt(value, walk);
  return message === undefined ? undefined : { param: fieldPath(walk.path), path: walk.path, message };
}

interface Walk {
  limits: InputLimits;
  refusesContent: boolean;
  nodes: number;
  bytes: number;
  /** The path of the current value; it stays at a rejected value. */
  path: (string | number)[];
}

function messageAt(value: unknown, walk: Walk): string | undefined {
  if (++walk.nodes > walk.limits.nodes)
    return `The input has more than ${walk.limits.nodes} values; send less at once.`;
  if (typeof value === "string") return textMessage(value, "Text", walk);
  if (value instanceof ExactNumber) return textMessage(value.text, "Numbers", walk);
  if (typeof value !== "object" || value === null) return undefined;
  if (walk.path.length >= walk.limits.depth) return `The input is nested deeper than ${walk.limits.depth} levels.`;
  return Array.isArray(value) ? messageInList(value, walk) : messageInObject(value as Record<string, unknown>, walk);
}

function messageInList(list: unknown[], walk: Walk): string | undefined {
  for (let i = 0; i < list.length; i++) {
    walk.path.push(i);
    const message = messageAt(list[i], walk);
    if (message !== undefined) return message;
    walk.path.pop();
  }
  return undefined;
}

function messageInObject(object: Record<string, unknown>, walk: Walk): string | undefined {
  for (const name of Object.keys(object)) {
    const refused = textMessage(name, "Field names", walk) ?? nameMessage(name, object[name], walk);
    if (refused !== undefined) return refused;
    walk.path.push(name);
    const message = messageAt(object[name], walk);
    if (message !== undefined) return message;
    walk.path.pop();
  }
  return undefined;
}

function textMessage(text: string, what: string, walk: Walk): string | undefined {
  walk.bytes += Buffer.byteLength(text);
  if (walk.bytes > walk.limits.bytes) {
    return `The input has more than ${Math.floor(walk.limits.bytes / 1024)} KiB of text; send less at once.`;
  }
  return walk.refusesContent && (text.includes("\0") || !text.isWellFormed()) ? `${what} ${STORABLE_TEXT}.` : undefined;
}

/** The two names by which an object reaches the prototype of another one. */
function nameMessage(name: string, value: unknown, { refusesContent }: Walk): string | undefined {
  if (!refusesContent) return undefined;
  const reachesPrototype =
    name === "__proto__" ||
    (name === "constructor" && typeof value === "object" && value !== null && Object.hasOwn(value, "prototype"));
  return reachesPrototype ? `A field must not be named ${name}.` : undefined;
}
