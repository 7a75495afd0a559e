import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../../kernel/errors";
import type { Redactor } from "../../data/secrets/redactor";
import { BodyReader } from "./body-reader";
import type { GatewayParts } from "./gateway-parts";
import { refuses } from "./refused-fields";
import type { Candidate } from "./upstream";
import { failureOf, UpstreamFailure } from "./upstream-failure";

const ERROR_BYTES_MAX = 64 * 1024;
const ERROR_MS = 5000;
/** How long an upstream may take to begin an answer whose client has gone. */
const LEFT_MS = 30_000;

export interface Post {
  path: string;
  /** Without the fields that this model of the upstream is known to refuse, of those that svc can do without. */
  body: (refused: ReadonlySet<string>) => string;
  /** What svc has added or can do itself, and how upstreams name it when they refuse it. */
  optional?: { field: string; names: readonly string[] } | undefined;
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

type PostParts = Pick<GatewayParts, "connections" | "redactors" | "refusedFields">;

/**
 * Sends a request to an upstream; once more if it refuses an optional field, which is remembered when it accepts the
 * request without it. Rejects with an UpstreamFailure for a status other than 2xx, and when it is too late.
 */
export async function postUpstream(parts: PostParts, candidate: Candidate, post: Post): Promise<Posted> {
  const { optional, body } = post;
  const known = parts.refusedFields.of(candidate);
  try {
    return await postOnce(parts, candidate, { ...post, body: body(known) });
  } catch (failure) {
    if (!(failure instanceof UpstreamFailure)) throw failure;
    if (!optional || known.has(optional.field) || !refuses(failure, optional.names)) {
      throw ownFieldRefused(failure, candidate) ?? failure;
    }
    const posted = await postOnce(parts, candidate, { ...post, body: body(new Set([...known, optional.field])) });
    parts.refusedFields.add(candidate, optional.field);
    return posted;
  }
}

/** The field that separates the prompts of tenants cannot be left out, and is none of the client's. */
function ownFieldRefused(failure: UpstreamFailure, { upstream }: Candidate): UpstreamFailure | undefined {
  const { cacheField, id } = upstream;
  if (cacheField === undefined || upstream.owner === "tenant" || !refuses(failure, [cacheField])) return undefined;
  const message = `The upstream "${id}" refuses the field ${cacheField}, which separates the prompt caches of tenants; set prompt_cache_field to "none" where the upstream is configured, if it has no prompt cache.`;
  const shown = new ServiceError("unavailable", message, { details: { reason: "upstream_failed", upstream: id } });
  return new UpstreamFailure(message, { status: failure.facts.status, shown });
}

async function postOnce(
  { connections, redactors }: PostParts,
  { upstream }: Candidate,
  { path, body, accept, signal }: Omit<Post, "body"> & { body: string },
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
