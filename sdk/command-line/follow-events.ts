import type { Page } from "../operation";
import { SvcError } from "../platform-client";
import type { WebhookEvent } from "../webhooks";

const POLL_MS = 1_000;
const PAUSE_MAX_MS = 10_000;
const PAGE_EVENTS = 100;

export interface EventSource {
  list: (input: { order: "asc" | "desc"; after?: string; limit: number }) => Promise<Page<WebhookEvent>>;
  sleep: (ms: number) => Promise<void>;
  /** Called once when svc cannot be reached, and with nothing when it can again. */
  onOutage: (failure: SvcError | undefined) => void;
}

/**
 * Every event from now on, in the order of svc; it ends only with a rejection.
 *
 * Rejects with an SvcError if svc cannot be reached at the start, or rejects the key; later, outages are waited for.
 */
export async function* followEvents(source: EventSource, onStart: () => void): AsyncGenerator<WebhookEvent> {
  const { data: newest } = await source.list({ order: "desc", limit: 1 });
  onStart();
  let after = newest[0]?.id;
  for (;;) {
    const { data } = await listPatiently(source, after);
    yield* data;
    after = data.at(-1)?.id ?? after;
    if (data.length < PAGE_EVENTS) await source.sleep(POLL_MS);
  }
}

/** The next events, however long svc cannot be reached. */
async function listPatiently(source: EventSource, after: string | undefined): Promise<Page<WebhookEvent>> {
  const input = { order: "asc" as const, limit: PAGE_EVENTS, ...(after === undefined ? {} : { after }) };
  for (let attempt = 0; ; attempt++) {
    try {
      const page = await source.list(input);
      if (attempt > 0) source.onOutage(undefined);
      return page;
    } catch (failure) {
      if (!(failure instanceof SvcError && isTemporary(failure))) throw failure;
      if (attempt === 0) source.onOutage(failure);
      await source.sleep(pauseMs(failure, attempt));
    }
  }
}

/** Whether the same call can succeed later. */
export const isTemporary = ({ code, status }: SvcError): boolean =>
  status === 0 || status >= 500 || status === 429 || code === "rate_limited";

/** Seconds of `Retry-After`, or a growing pause. */
export const pauseMs = ({ retry_after }: Pick<SvcError, "retry_after">, attempt: number): number =>
  retry_after === undefined ? Math.min(PAUSE_MAX_MS, POLL_MS * 2 ** Math.min(attempt, 10)) : retry_after * 1000;
