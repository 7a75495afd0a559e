import { z } from "zod";
import { isStorable } from "../fields";

const EXPECTED = "expected scheme://host[:port] with http or https and no path, such as https://shop.example";

/** One web origin as a browser writes it in `Origin`: lower case, no default port, no trailing slash. */
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
    ? "a wildcard is refused because a browser key is public and only its origins bind it; list each origin in full"
    : EXPECTED;
