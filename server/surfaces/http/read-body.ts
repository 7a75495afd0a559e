import { setImmediate as nextTurn } from "node:timers/promises";
import { boundedInput, INPUT_LIMITS, type InputLimits } from "../../kernel/bounded-input";
import { ServiceError } from "../../kernel/errors";
import { TaskQueue } from "../../kernel/keyed-queue";
import { bodyMs, clientClosed, inTime, JSON_BODY_LIMITS, limitBody, tooLarge } from "../../kernel/limit-body";
import { mediaTypeOf } from "../../kernel/media-type";
import { parseJson } from "../../kernel/parse-json";

/** A JSON body, and how long it was. */
export interface SizedJson {
  value: unknown;
  /** In bytes. */
  length: number;
  bytes: Uint8Array;
}

/** In bytes: parsing a longer body takes milliseconds. */
export const LARGE_BODY_LENGTH = 256 * 1024;
const largeBodies = new TaskQueue();

/** As `readSizedJson`, without the length. */
export const readJson = async (...given: Parameters<typeof readSizedJson>): Promise<unknown> =>
  (await readSizedJson(...given)).value;

/**
 * Reads and parses a JSON body, as `parseJson` does; `limits.bytes` also applies to it as sent. Throws 413 over the size
 * limit, 415 for another media type, 400 for a body that stalls or is not valid JSON in UTF-8.
 */
export async function readSizedJson(
  request: Request,
  mediaTypes: readonly string[],
  limits: InputLimits = INPUT_LIMITS,
): Promise<SizedJson> {
  requireMediaType(request.headers.get("content-type"), mediaTypes);
  const bytes = await readBytes(request, limits.bytes);
  const { length } = bytes;
  if (length === 0) throw new ServiceError("invalid_request", "The body is empty; send a JSON object.");
  const parse = () => boundedInput(parseJson(bytes), limits);
  if (length <= LARGE_BODY_LENGTH) return { value: parse(), length, bytes };
  return largeBodies.run(async () => {
    // What else is due comes between several large bodies.
    await nextTurn();
    return { value: parse(), length, bytes };
  });
}

export function requireMediaType(header: string | null, mediaTypes: readonly string[]): void {
  const given = mediaTypeOf(header);
  if (mediaTypes.includes(given)) return;
  throw new ServiceError(
    "unsupported_media_type",
    `Content-Type must be ${mediaTypes.join(" or ")}${given ? `, not ${given.slice(0, 60)}` : ""}.`,
    { param: "content-type" },
  );
}

/** The body; empty without one. Throws 413 past `bytesMax`, 400 for a body that stalls. */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > bytesMax) throw tooLarge(bytesMax);
    const body = request.arrayBuffer().catch(clientClosed);
    return new Uint8Array(await inTime(body, bodyMs(Number(length), JSON_BODY_LIMITS.totalMs)));
  }
  if (!request.body) return new Uint8Array();
  return new Uint8Array(await new Response(limitBody(request.body, { ...JSON_BODY_LIMITS, bytesMax })).arrayBuffer());
}
