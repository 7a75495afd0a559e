import type { IncomingMessage } from "node:http";
import type { Redactor } from "../../data/secrets/redactor";
import { BodyReader } from "./body-reader";
import type { GatewayParts } from "./gateway-parts";
import type { Candidate } from "./upstream";
import { failureOf, UpstreamFailure } from "./upstream-failure";

const ERROR_BYTES_MAX = 64 * 1024;
const ERROR_MS = 5000;
/** How long an upstream may take to begin an answer whose client has gone. */
const LEFT_MS = 30_000;

export interface Post {
  path: string;
  body: string;
  accept: string;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
}

/** A response with status 2xx. */
export interface Posted {
  response: IncomingMessage;
  reader: BodyReader;
  /** Finds the upstream's key in what it says; undefined if it has none. */
  redactor: Redactor | undefined;
  /** What is left of the time for the first byte, in milliseconds. */
  leftMs: number;
}

/** Sends a request to an upstream once. Rejects with an UpstreamFailure for another status, and when it is too late. */
export async function postUpstream(
  { connections, redactors }: Pick<GatewayParts, "connections" | "redactors">,
  { upstream }: Candidate,
  { path, body, accept, signal }: Post,
): Promise<Posted> {
  const key = await upstream.key();
  const redactor = redactors.of(key);
  const ending = new AbortController();
  const abort = () => ending.abort();
  const timers: NodeJS.Timeout[] = [];
  // The upstream may bill an answer that nobody waits for, so it is given time to end, and its usage is billed.
  const leave = () => void timers.push(setTimeout(abort, LEFT_MS));
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  const startedMs = performance.now();
  let isLate = false;
  const becomeLate = () => {
    isLate = true;
    abort();
  };
  timers.push(setTimeout(becomeLate, upstream.firstByteMs));
  try {
    const response = await connections.send(upstream, { path, body, key, accept, signal: ending.signal });
    const reader = new BodyReader(response);
    const { statusCode: status = 0, headers } = response;
    if (status < 200 || status > 299) {
      const text = (await reader.all(ERROR_MS, ERROR_BYTES_MAX).catch(() => Buffer.alloc(0))).toString("utf8");
      throw failureOf(status, { text, retryAfter: headers["retry-after"], redactor });
    }
    const leftMs = Math.max(1, upstream.firstByteMs - (performance.now() - startedMs));
    return { response, reader, redactor, leftMs };
  } catch (failure) {
    throw isLate ? new UpstreamFailure("no response in time", { isLate: true }) : failure;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}
