import type { Fetch } from "../call-api";
import { stringifyJson } from "../exact-json";
import { VERSION } from "../version";
import { type WebhookEvent, webhooks } from "../webhooks";
import { UsageError } from "./errors";

/** The same as for deliveries. */
const TIMEOUT_MS = 10_000;
/** RFC 6761, section 6.3, and the loopback addresses. */
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** `4000`, `localhost:4000/path` or a URL. @throws UsageError for anything else, and for other computers by default. */
export function readTarget(text: string, { allowRemote }: { allowRemote: boolean }): URL {
  const given = /^\d{1,5}$/.test(text) ? `localhost:${text}` : text.replace(/^:/, "localhost:");
  const url = /^https?:\/\//i.test(given) ? given : `http://${given}`;
  if (given === "" || !URL.canParse(url) || /^[a-z][a-z+.-]*:\/\//i.test(given.replace(/^https?:\/\//i, ""))) {
    throw new UsageError(`--forward: it must be an address such as localhost:4000/path, not "${text.slice(0, 80)}".`);
  }
  const target = new URL(url);
  if (target.username !== "" || target.password !== "") {
    throw new UsageError("--forward: it must be an address without a user name and password.");
  }
  if (!allowRemote && !LOOPBACK.test(target.hostname)) {
    throw new UsageError(
      `--forward: ${target.hostname} is not this computer; add --allow-remote if your events may be sent there.`,
    );
  }
  return target;
}

export interface Forwarding {
  target: URL;
  secret: string;
  fetch: Fetch;
  signal: AbortSignal;
}

export interface ForwardResult {
  /** The response's status, or why there is none. */
  outcome: string;
  elapsedMs: number;
}

/** Posts an event as a webhook does, once. Rejects only with the signal's reason. */
export async function forwardEvent(event: WebhookEvent, forwarding: Forwarding): Promise<ForwardResult> {
  const { target, secret, fetch, signal } = forwarding;
  const body = stringifyJson(event);
  const headers = { ...(await webhooks.sign(body, secret)), "User-Agent": `svc-webhooks/${VERSION}` };
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const startedAt = performance.now();
  const result = (outcome: string): ForwardResult => ({ outcome, elapsedMs: performance.now() - startedAt });
  try {
    const response = await fetch(target.href, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    return result(String(response.status));
  } catch (failure) {
    signal.throwIfAborted();
    return result(timeout.aborted ? `no response within ${TIMEOUT_MS / 1000} s` : reasonOf(failure));
  }
}

/** The system's code, such as `ECONNREFUSED`, which `fetch` hides in its cause. */
function reasonOf(failure: unknown): string {
  const cause = (failure as { cause?: { code?: unknown; message?: unknown } } | undefined)?.cause;
  const reason = cause?.code ?? cause?.message ?? (failure instanceof Error ? failure.message : failure);
  return String(reason);
}
