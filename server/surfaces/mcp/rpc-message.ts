import { mediaTypeOf } from "../../kernel/media-type";

/**
 * The response of JSON-RPC in a response of HTTP, as JSON; undefined without one, as to a notification. A stream of
 * events ends with it; progress before it is left out.
 */
export async function messageIn(response: Response): Promise<string | undefined> {
  const text = await response.text();
  if (mediaTypeOf(response.headers.get("content-type")) !== "text/event-stream") return text || undefined;
  const begin = text.lastIndexOf(`\n${FIELD}`);
  const from = begin < 0 ? (text.startsWith(FIELD) ? 0 : undefined) : begin + 1;
  if (from === undefined) return undefined;
  const end = text.indexOf("\n", from);
  return text.slice(from + FIELD.length, end < 0 ? undefined : end).trim() || undefined;
}

const FIELD = "data: ";
