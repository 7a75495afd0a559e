import { jsonIn } from "../../../../components/form/json-in";
import { numberOrNullIn, rawTextIn, textIn } from "../../../../components/form/read-fields";
import { FieldError } from "../../../../trpc/failure";

const BODY_KIB_MAX = 256;
const DELAY_SECONDS_MAX = 900;

/** The message that a form sends. Throws a FieldError for a body that is no JSON object or is too large. */
export function messageIn(fields: FormData) {
  const text = rawTextIn(fields, "body");
  const body = textIn(fields, "format") === "text" ? text : jsonObjectOf(text);
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)).length;
  if (bytes > BODY_KIB_MAX * 1024) {
    throw new FieldError("body", `The body has ${Math.ceil(bytes / 1024)} KiB; at most ${BODY_KIB_MAX} are allowed.`);
  }
  const [group, id] = [textIn(fields, "group_id"), textIn(fields, "deduplication_id")];
  const delay = numberOrNullIn(fields, "delay_seconds");
  if (delay !== null && !(Number.isInteger(delay) && delay >= 0 && delay <= DELAY_SECONDS_MAX)) {
    throw new FieldError("delay_seconds", `Enter a whole number of seconds from 0 to ${DELAY_SECONDS_MAX}.`);
  }
  return {
    body,
    ...(group && { group_id: group }),
    ...(id && { deduplication_id: id }),
    ...(delay !== null && { delay_seconds: delay }),
  };
}

function jsonObjectOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = jsonIn("body", text);
  } catch (failure) {
    if (failure instanceof FieldError) throw failure;
    const cause = failure instanceof SyntaxError ? ` (${failure.message})` : "";
    throw new FieldError("body", `This is not JSON${cause}. Correct it, or choose Text.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new FieldError("body", "A JSON body is an object, such as {}. Choose Text to send anything else.");
  }
  return value as Record<string, unknown>;
}
