import { ExactNumber } from "./exact-number";

/** A number that a double would change, and its path in the value. */
export interface FoundNumber {
  path: (string | number)[];
  number: ExactNumber;
}

/** The first number that a double would change and that `isWanted`; undefined without any. */
export function findExactNumber(
  value: unknown,
  isWanted: (number: ExactNumber) => boolean = () => true,
): FoundNumber | undefined {
  if (value instanceof ExactNumber) return isWanted(value) ? { path: [], number: value } : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const found = findExactNumber(part, isWanted);
    if (found) return { path: [name, ...found.path], number: found.number };
  }
  return undefined;
}
