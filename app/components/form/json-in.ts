import { FieldError } from "../../trpc/failure";

/**
 * The value of JSON that was typed into a field. Throws a FieldError for an integer that JavaScript has not, which would
 * be sent as another one, and a SyntaxError for what is no JSON.
 */
export function jsonIn(name: string, text: string): unknown {
  let refused: number | undefined;
  const value: unknown = JSON.parse(text, (_, part: unknown) => {
    if (typeof part === "number" && !isKept(part)) refused = part;
    return part;
  });
  if (refused === undefined) return value;
  throw new FieldError(name, `A number of this form has at most 15 digits: write ${refused} as text, in quotes.`);
}

const isKept = (number: number): boolean =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
