const IDLE_MS = 1_000;
/** The most ids that the API takes in one batch; at 39 bytes each, also far below the 64 KiB a beacon may carry. */
const BATCH_IDS = 256;

/**
 * Collects ids of offers that were seen and reports each one once a page: after a second without a new one, and at
 * once when the page is hidden or left. An id whose report met a dead network waits for the next one, one time.
 */
export function impressionReporter(origin: string): (id: string) => void {
  const url = `${origin}/api/v1/impressions/batch`;
  const seen = new Set<string>();
  const failed = new Set<string>();
  const waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (leaving: boolean): void => {
    clearTimeout(timer);
    while (waiting.length) {
      const ids = waiting.splice(0, BATCH_IDS);
      send(url, JSON.stringify({ ids }), leaving).catch(() => {
        waiting.push(...ids.filter((id) => !failed.has(id)));
        for (const id of ids) failed.add(id);
      });
    }
  };
  const leave = (): void => {
    if (document.hidden) flush(true);
  };

  document.addEventListener("visibilitychange", leave);
  addEventListener("pagehide", () => flush(true));
  addEventListener("online", () => flush(false));

  return (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    waiting.push(id);
    clearTimeout(timer);
    timer = setTimeout(flush, IDLE_MS, false);
  };
}

/**
 * `text/plain`, which both calls give to a string, and `no-cors`: so no preflight stands between the report and a page
 * that is going away. A beacon carries cookies, so it serves only when leaving; fetch also tells of a dead network.
 */
function send(url: string, body: string, leaving: boolean): Promise<unknown> {
  if (leaving && beacon(url, body)) return Promise.resolve();
  return fetch(url, { method: "POST", body, mode: "no-cors", credentials: "omit", keepalive: true });
}

function beacon(url: string, body: string): boolean {
  try {
    return navigator.sendBeacon(url, body);
  } catch {
    return false;
  }
}
