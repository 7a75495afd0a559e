import { ServiceError } from "./errors";
import { parseExact } from "./exact-number";
import { strictText } from "./strict-text";

/**
 * The value of JSON from outside, as bytes or as text. Throws `invalid_request`, with `what` as the begin of the
 * sentence: for bytes that are not UTF-8 with the offset of the first, and for what is no JSON. Numbers that a double
 * would change are of the class ExactNumber: a field with a schema of a number refuses them, or takes the nearest double
 * of a decimal; a field for any JSON has them as they are, and `exactJson` writes them so.
 */
export function parseJson(source: Uint8Array | string, what = "The body"): unknown {
  const text = typeof source === "string" ? source : strictText(source, what);
  try {
    return parseExact(text);
  } catch (cause) {
    const problem = cause instanceof RangeError ? "is nested too deeply" : "is not valid JSON";
    throw new ServiceError("invalid_request", `${what} ${problem}.`, { details: { reason: "json" }, cause });
  }
}
