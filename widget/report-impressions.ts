import { origin } from "./settings";

const IDLE_MS = 1_000;
/** The API's maximum per batch; at 39 bytes each, far below the 64 KiB limit of `keepalive`. */
const BATCH_IDS = 256;
/** Longer than the API's own Retry-After of about a second. */
const RETRY_MS = 5_000;

const seen = new Set<string>();
const failed = new Set<string>();
const waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Collects the IDs of viewed offers and reports each one once per page: after a second without a new one, and immediately when the page is hidden or left. After a network error an ID waits for the next report or until the network is back; after 429 or 5xx it waits five seconds. Each ID is retried once.
 */
export function reportSeen(id: string): void {
  if (seen.has(id)) return;
  seen.add(id);
  waiting.push(id);
  flushIn(IDLE_MS);
}

/** Reports pending IDs when the page is hidden or left, and when the network is back. */
export function watchPageExit(): void {
  document.addEventListener("visibilitychange", () => document.hidden && flush());
  addEventListener("pagehide", flush);
  addEventListener("online", flush);
}

function flushIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(flush, ms);
}

function flush(): void {
  while (waiting.length) {
    const ids = waiting.splice(0, BATCH_IDS);
    const requeue = (): void => {
      waiting.push(...ids.filter((id) => !failed.has(id)));
      for (const id of ids) failed.add(id);
    };
    send(JSON.stringify({ ids })).then(({ status }) => {
      if (status !== 429 && status < 500) return;
      requeue();
      flushIn(RETRY_MS);
    }, requeue);
  }
}

/** `keepalive` lets the request outlive the page. A string is sent as `text/plain`, which needs no preflight. */
function send(body: string): Promise<Response> {
  return fetch(`${origin}/api/v1/impressions/batch`, { method: "POST", body, keepalive: true });
}
