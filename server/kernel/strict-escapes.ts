import { ServiceError } from "./errors";
import { utf8Fault } from "./strict-text";

/** Bytes of characters beyond ASCII, one after the other. */
const BYTES = /(?:%[89a-fA-F][0-9a-fA-F])+/g;

/**
 * The error for percent-encoded bytes that are not UTF-8, which decoders leave as they are or replace, so that another
 * thing would be named; undefined without any. `what` is the begin of its sentence, such as "The path".
 */
export function escapesRefusal(text: string, what: string): ServiceError | undefined {
  if (!text.includes("%")) return undefined;
  for (const [escapes] of text.matchAll(BYTES)) {
    const fault = utf8Fault(Buffer.from(escapes.replaceAll("%", ""), "hex"));
    if (fault === undefined) continue;
    const first = escapes.slice(fault * 3, fault * 3 + 3);
    return new ServiceError(
      "invalid_request",
      `${what} has the percent-encoded byte ${first}, which is not UTF-8 text. Encode the bytes of UTF-8.`,
      { details: { reason: "not_utf8" } },
    );
  }
  return undefined;
}
