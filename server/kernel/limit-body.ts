import { ServiceError } from "./errors";
import { withTimeout } from "./with-timeout";

export interface BodyLimits {
  bytesMax?: number;
  /** From the first read to the last byte; less for a slow body (`bodyMs`). */
  totalMs?: number;
  /** Between two chunks that a reader waits for. */
  idleMs?: number;
}

/** The limits for any JSON body, on every surface. */
export const JSON_BODY_LIMITS = { bytesMax: 256 * 1024, totalMs: 30_000 } as const;

const GRACE_MS = 5000;
const BYTES_PER_SECOND_MIN = 16 * 1024;

/**
 * How long a body may take: some seconds, and more for its bytes (as mod_reqtimeout of Apache has it), at most `totalMs`.
 */
export const bodyMs = (bytes: number, totalMs: number): number =>
  Math.min(totalMs, GRACE_MS + (bytes / BYTES_PER_SECOND_MIN) * 1000);

/**
 * The same bytes, read no faster than requested. Fails with `payload_too_large` past `bytesMax`, and with
 * `invalid_request` (`details.reason: "stalled"`) if a chunk takes longer than `idleMs` or all of them longer than
 * `bodyMs`, or if the client closes the connection before the end (`"client_closed"`). The source is then not
 * cancelled, because the owner of the connection still sends a response on it.
 */
export function limitBody(body: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> {
  const { bytesMax = Number.POSITIVE_INFINITY, totalMs, idleMs } = limits;
  const reader = body.getReader();
  let beganAt: number | undefined;
  let bytes = 0;
  const waitMs = (): number | undefined => {
    if (totalMs === undefined) return idleMs;
    beganAt ??= performance.now();
    const leftMs = beganAt + bodyMs(bytes, totalMs) - performance.now();
    return Math.min(Math.max(leftMs, 0), idleMs ?? totalMs);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await inTime(reader.read().catch(clientClosed), waitMs());
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead, so a slow reader is never mistaken for a sender that stalls.
    { highWaterMark: 0 },
  );
}

/** The promise's value, or the error for a body that did not arrive within `waitMs`. */
export const inTime = <T>(arriving: Promise<T>, waitMs: number | undefined): Promise<T> =>
  waitMs === undefined ? arriving : withTimeout(waitMs, arriving, stalled);

export const tooLarge = (bytesMax: number): ServiceError =>
  new ServiceError(
    "payload_too_large",
    `The body is larger than ${Math.floor(bytesMax / 1024)} KiB; send less at once.`,
  );

/**
 * The error for a body that cannot be read to its end because the client has disconnected, which is not a server error.
 * A body that was read before is a bug and stays one.
 */
export function clientClosed(cause: unknown): never {
  if (cause instanceof TypeError || cause instanceof ServiceError) throw cause;
  throw new ServiceError("invalid_request", "The client closed the connection before the end of the body.", {
    param: "body",
    details: { reason: "client_closed" },
    cause,
  });
}

const stalled = (): ServiceError =>
  new ServiceError("invalid_request", "The upload stalled: the body did not arrive in time; send it again.", {
    param: "body",
    details: { reason: "stalled" },
  });
