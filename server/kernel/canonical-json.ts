import { INPUT_LIMITS, sizeIssue } from "./bounded-input";

/** Twice the limits of an input, to allow for what svc adds around one. */
const LIMITS = { depth: 2 * INPUT_LIMITS.depth, nodes: 2 * INPUT_LIMITS.nodes, bytes: 2 * INPUT_LIMITS.bytes };

/**
 * JSON whose objects have sorted names, so that equal values have equal texts. Throws RangeError for a value of more
 * than twice `INPUT_LIMITS`, whose text could be endless.
 */
export function canonicalJson(value: unknown): string {
  const issue = sizeIssue(value, LIMITS);
  if (issue) throw new RangeError(`No canonical JSON: ${issue.message}`);
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
