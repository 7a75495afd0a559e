import { INPUT_LIMITS, type InputLimits, sizeIssue } from "./bounded-input";

/** Twice the limits of an input, to allow for what svc adds around one. */
const twice = ({ depth, nodes, bytes }: InputLimits): InputLimits => ({
  depth: 2 * depth,
  nodes: 2 * nodes,
  bytes: 2 * bytes,
});

/**
 * JSON whose objects have sorted names, so that equal values have equal texts. Throws RangeError for a value of more
 * than twice `limits`, whose text could be endless.
 */
export function canonicalJson(value: unknown, limits = INPUT_LIMITS): string {
  const issue = sizeIssue(value, twice(limits));
  if (issue) throw new RangeError(`No canonical JSON: ${issue.message}`);
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
