import { ServiceError } from "./errors";

export interface BodyLimits {
  bytesMax?: number;
  /** From the first read to the last byte. */
  totalMs?: number;
  /** Between two pieces that somebody waits for. */
  idleMs?: number;
}

/** What any JSON body may be, on every surface. */
export const JSON_BODY_LIMITS = { bytesMax: 256 * 1024, totalMs: 30_000 } as const;

/**
 * The same bytes, read no faster than asked for. Fails with `payload_too_large` past `bytesMax`, and with
 * `invalid_request` (`details.reason: "stalled"`) when a piece takes longer than `idleMs` or all of them longer than
 * `totalMs`; the source is then left as it is, because whoever owns the connection still answers on it.
 */
export function limitBody(body: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> {
  const { bytesMax = Number.POSITIVE_INFINITY, totalMs, idleMs } = limits;
  const reader = body.getReader();
  let endsAt: number | undefined;
  let bytes = 0;
  const waitMs = (): number | undefined => {
    if (totalMs === undefined) return idleMs;
    endsAt ??= performance.now() + totalMs;
    return Math.min(Math.max(endsAt - performance.now(), 0), idleMs ?? totalMs);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await inTime(reader.read(), waitMs());
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead, so a slow reader is never taken for a sender that stalls.
    { highWaterMark: 0 },
  );
}

/** The promise's value, or the refusal of a body that did not arrive within `waitMs`. */
export async function inTime<T>(arriving: Promise<T>, waitMs: number | undefined): Promise<T> {
  if (waitMs === undefined) return arriving;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stalled()), waitMs);
  });
  try {
    return await Promise.race([arriving, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const tooLarge = (bytesMax: number): ServiceError =>
  new ServiceError(
    "payload_too_large",
    `The body is larger than ${Math.floor(bytesMax / 1024)} KiB; send less at once.`,
  );

const stalled = (): ServiceError =>
  new ServiceError("invalid_request", "The upload stalled: the body did not arrive in time; send it again.", {
    param: "body",
    details: { reason: "stalled" },
  });
