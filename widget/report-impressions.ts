import { origin } from "./settings";

const IDLE_MS = 1_000;
/** The most ids that the API takes in one batch; at 39 bytes each, also far below the 64 KiB a beacon may carry. */
const BATCH_IDS = 256;
/** Longer than the API's own Retry-After of about a second. */
const RETRY_MS = 5_000;

const seen = new Set<string>();
const failed = new Set<string>();
const waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Collects ids of offers that were seen and reports each one once a page: after a second without a new one, and at
 * once when the page is hidden or left. An id whose report met a dead network waits for the next report or until the
 * network is back, and one that the API refused for now (429, 5xx) for five seconds; either way one time.
 */
export function reportSeen(id: string): void {
  if (seen.has(id)) return;
  seen.add(id);
  waiting.push(id);
  flushIn(IDLE_MS);
}

/** Reports what waits when the page goes away, and when the network comes back. */
export function watchLeaving(): void {
  document.addEventListener("visibilitychange", () => document.hidden && flush(true));
  addEventListener("pagehide", () => flush(true));
  addEventListener("online", () => flush(false));
}

function flushIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(flush, ms, false);
}

function flush(leaving: boolean): void {
  clearTimeout(timer);
  while (waiting.length) {
    const ids = waiting.splice(0, BATCH_IDS);
    const putBack = (): void => {
      waiting.push(...ids.filter((id) => !failed.has(id)));
      for (const id of ids) failed.add(id);
    };
    send(JSON.stringify({ ids }), leaving).then((status) => {
      if (status !== 429 && status < 500) return;
      putBack();
      flushIn(RETRY_MS);
    }, putBack);
  }
}

/**
 * The status of the answer. `text/plain`, which both calls give to a string, needs no preflight between the report and a
 * page that is going away. A beacon carries cookies and tells nothing of its answer, so it serves only when leaving, and
 * not without a network.
 */
async function send(body: string, leaving: boolean): Promise<number> {
  const url = `${origin}/api/v1/impressions/batch`;
  if (leaving && navigator.onLine && navigator.sendBeacon(url, body)) return 204;
  return (await fetch(url, { method: "POST", body, keepalive: true })).status;
}
