const LONG = 16;
const SHORT = 8;

/**
 * A value as findings show it: of long ones the first 4 and the last 2 characters, of short ones the first and the last,
 * of still shorter ones none, and its length.
 */
export function masked(value: string): string {
  const text = [...value.replace(/[\s\p{Cc}]+/gu, " ")];
  const [first, last] = text.length >= LONG ? [4, 2] : text.length >= SHORT ? [1, 1] : [0, 0];
  const shown = `${text.slice(0, first).join("")}…${last > 0 ? text.slice(-last).join("") : ""}`;
  return `${shown} (${text.length} characters)`;
}
