import { z } from "zod";
import { isStorable } from "../field-checks";

const EXPECTED = "expected scheme://host[:port] with http or https and no path, such as https://shop.example";

/** A web origin in the form of a browser's `Origin` header: lower case, without a default port or a trailing slash. */
export const origin = z
  .string()
  .trim()
  .max(300)
  .transform((value, context) => {
    const found = value.includes("*") || !isStorable(value) ? undefined : originOf(value);
    if (found === undefined) context.addIssue({ code: "custom", message: sentenceFor(value), input: value });
    return found ?? z.NEVER;
  })
  .meta({ examples: ["https://shop.example"] });

function originOf(value: string): string | undefined {
  if (!/^https?:\/\/[^\s/?#@\\]+\/?$/i.test(value) || !URL.canParse(value)) return undefined;
  return new URL(value).origin;
}

const sentenceFor = (value: string): string =>
  value.includes("*")
    ? "a wildcard is not allowed, because a browser key is public and only its origins restrict its use; list each origin in full"
    : EXPECTED;
