import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import type { EventKind } from "../../../operation/event-kind";

const PATTERN = /^(\*|[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?)$/;
const PATTERN_LENGTH_MAX = 100;
const PATTERNS_MAX = 100;
/** Nouns of the specification that have no kinds yet: a prefix such as `pod.*` is no mistake. */
const PREFIXES_WITHOUT_KINDS = new Set(["pod.*", "reservation.*", "billing.*", "shield.*", "alert.*"]);
const SUGGESTIONS_MAX = 3;
const EDITS_MAX = 4;

/** What a webhook receives: kinds, prefixes that end in `.*`, or `*`. Duplicates are removed. */
export const Subscriptions = z
  .array(
    z
      .string()
      .trim()
      .max(PATTERN_LENGTH_MAX, `expected at most ${PATTERN_LENGTH_MAX} characters`)
      .regex(PATTERN, "expected a kind such as webhook.disabled, a prefix such as webhook.*, or *"),
  )
  .min(1, "expected at least one kind of event")
  .max(PATTERNS_MAX, `expected at most ${PATTERNS_MAX} kinds`)
  .transform((patterns) => [...new Set(patterns)])
  .describe("Kinds such as `webhook.disabled`, prefixes such as `webhook.*`, or `*` for all; see GET /v1/events/kinds");

/** Whether a subscription includes a kind. The dispatcher has the same rule in SQL. */
export const includesKind = (pattern: string, type: string): boolean =>
  pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)));

/** Throws `invalid_request` for a subscription that includes no kind, and names those that are spelled like it. */
export function assertKnownKinds(kinds: readonly Pick<EventKind, "type">[], patterns: readonly string[]): void {
  const index = patterns.findIndex(
    (pattern) => !PREFIXES_WITHOUT_KINDS.has(pattern) && !kinds.some(({ type }) => includesKind(pattern, type)),
  );
  if (index !== -1) throw unknownKind(kinds, { pattern: patterns[index] ?? "", param: `events[${index}]` });
}

/** The kind with this name. Throws `invalid_request` for `type`. */
export function kindOf(kinds: readonly EventKind[], type: string): EventKind {
  const kind = kinds.find((one) => one.type === type);
  if (!kind) throw unknownKind(kinds, { pattern: type, param: "type" });
  return kind;
}

function unknownKind(
  kinds: readonly Pick<EventKind, "type">[],
  { pattern, param }: { pattern: string; param: string },
): ServiceError {
  const close = closeTo(
    pattern,
    kinds.map(({ type }) => type),
  );
  const hint = close.length > 0 ? `did you mean ${close.join(" or ")}?` : "GET /v1/events/kinds lists all kinds.";
  return new ServiceError("invalid_request", `There is no kind of event "${pattern}"; ${hint}`, {
    param,
    details: { reason: "unknown_event_kind", close_kinds: close },
  });
}

/** The kinds that differ in a few characters; otherwise those with the same noun. */
function closeTo(pattern: string, types: readonly string[]): string[] {
  const name = pattern.replace(/\.\*$/, "");
  const byEdits = types
    .map((type) => ({ type, edits: editsBetween(name, type) }))
    .filter(({ edits }) => edits <= EDITS_MAX)
    .sort((a, b) => a.edits - b.edits);
  if (byEdits.length > 0) return byEdits.slice(0, SUGGESTIONS_MAX).map(({ type }) => type);
  const nouns = [...new Set(types.map((type) => type.slice(0, type.indexOf("."))))];
  const noun = nouns.find((one) => editsBetween(one, name.split(".")[0] ?? "") <= 2);
  return types.filter((type) => type.startsWith(`${noun}.`)).slice(0, SUGGESTIONS_MAX);
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
