import { ExactNumber } from "../../kernel/exact-number";

/** The text of a number as the feed has it, or undefined if the value is not a number. */
export const numberText = (value: unknown): string | undefined =>
  typeof value === "number" || value instanceof ExactNumber ? String(value) : undefined;
