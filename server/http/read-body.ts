import { ServiceError } from "../kernel/errors";
import { inTime, JSON_BODY_LIMITS, limitBody, tooLarge } from "../kernel/limit-body";

/** A product feed may take hours, as long as it keeps coming. */
const UPLOAD_IDLE_MS = 60_000;
const DEPTH_MAX = 32;
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const STORABLE_TEXT = "must not contain NUL characters or broken surrogate pairs";

/** Reads and parses a JSON body. Throws 413 over the limit, 415 for another media type, 400 for what stalls or is no clean JSON. */
export async function readJson(request: Request, mediaTypes: readonly string[]): Promise<unknown> {
  requireMediaType(request.headers.get("content-type"), mediaTypes);
  const text = await readText(request);
  if (text === "") throw invalid("The body is empty; send a JSON object.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON.");
  }
  refuseUnstorable(value, "", 0);
  return value;
}

export function requireMediaType(header: string | null, mediaTypes: readonly string[]): void {
  const given = (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (mediaTypes.includes(given)) return;
  throw new ServiceError(
    "unsupported_media_type",
    `Content-Type must be ${mediaTypes.join(" or ")}${given ? `, not ${given.slice(0, 60)}` : ""}.`,
    { param: "content-type" },
  );
}

async function readText(request: Request): Promise<string> {
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > JSON_BODY_LIMITS.bytesMax) throw tooLarge(JSON_BODY_LIMITS.bytesMax);
    return inTime(request.text(), JSON_BODY_LIMITS.totalMs);
  }
  if (!request.body) return "";
  return new Response(limitBody(request.body, JSON_BODY_LIMITS)).text();
}

/** A streamed body that fails when a minute passes without a byte. */
export const uploadOf = ({ body }: Request): ReadableStream<Uint8Array> | undefined =>
  body === null ? undefined : limitBody(body, { idleMs: UPLOAD_IDLE_MS });

const invalid = (message: string, param?: string) =>
  new ServiceError("invalid_request", message, param === undefined ? {} : { param });

/**
 * Postgres cannot store NUL characters or half of a surrogate pair, and one such text would fail the statement that it
 * shares with its neighbours; nothing we take is nested deeply. All three are refused by name here.
 */
export function refuseUnstorable(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") {
    if (UNSTORABLE.test(value)) throw invalid(`Text ${STORABLE_TEXT}.`, path.slice(0, 100) || "body");
  } else if (typeof value === "object" && value !== null) {
    if (depth === DEPTH_MAX) throw invalid(`The body is nested deeper than ${DEPTH_MAX} levels.`, path.slice(0, 100));
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) refuseUnstorable(value[i], `${path}[${i}]`, depth + 1);
    } else {
      for (const key of Object.keys(value)) {
        const at = path ? `${path}.${key}` : key;
        if (UNSTORABLE.test(key)) throw invalid(`Field names ${STORABLE_TEXT}.`, path.slice(0, 100) || "body");
        refuseUnstorable((value as Record<string, unknown>)[key], at, depth + 1);
      }
    }
  }
}
