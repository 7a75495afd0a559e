import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock";
import type { Claim } from "./claim";
import { anyEnabled, claimDue, PER_WEBHOOK_MAX } from "./deliveries.sql";
import { dispatchEvents } from "./dispatch-events.sql";
import type { AtWebhookStep } from "./steps";

/** Attempts that run at once in one process, of all webhooks. */
const ATTEMPTS_MAX = 500;
/** Deliveries that one statement claims. */
const CLAIMS_MAX = 100;
/** How often a process looks for enabled webhooks while it has seen none. */
export const IDLE_MS = 2000;
/** How often it looks for events and due deliveries otherwise. */
export const POLL_MS = 50;

export interface DeliveryLoopCtx {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "error">;
  atStep: AtWebhookStep;
  sender: { attempt(claim: Claim): Promise<void> };
  /** Called when an attempt has ended for which others may wait. */
  onRoom: () => void;
}

/** Creates the deliveries of new events and starts the attempts that are due; any number of processes may do so. */
export class DeliveryLoop {
  readonly #ctx: DeliveryLoopCtx;
  readonly #running = new Map<Claim, Promise<void>>();
  #hasWebhooks = false;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ctx: DeliveryLoopCtx) {
    this.#ctx = ctx;
  }

  /** The pause until the next round. */
  get pauseMs(): number {
    return this.#hasWebhooks ? POLL_MS : IDLE_MS;
  }

  /** Dispatches a batch of events and starts attempts without waiting for them. Returns whether there may be more. */
  async round(): Promise<boolean> {
    const { sql, clock, atStep } = this.#ctx;
    const { count, hasMore: hasMoreEvents } = await dispatchEvents(sql, clock.now());
    if (count > 0) atStep("events.dispatched");
    await this.#lookForWebhooks();
    if (!this.#hasWebhooks) return hasMoreEvents;
    const free = Math.min(CLAIMS_MAX, ATTEMPTS_MAX - this.#running.size);
    if (free <= 0) return hasMoreEvents;
    const claims = await claimDue(sql, { now: clock.now(), free, running: this.#runningByWebhook() });
    if (claims.length > 0) atStep("delivery.claimed");
    for (const claim of claims) this.#start(claim);
    return hasMoreEvents || claims.length === CLAIMS_MAX;
  }

  /** Resolves when no attempt runs. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** At the next round, looks whether there are enabled webhooks. */
  lookAgain(): void {
    this.#lookedAtMs = Number.NEGATIVE_INFINITY;
  }

  async #lookForWebhooks(): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAtMs < IDLE_MS && this.#lookedAtMs <= now) return;
    this.#hasWebhooks = await anyEnabled(this.#ctx.sql);
    this.#lookedAtMs = now;
  }

  #runningByWebhook(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#running.keys()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return counts;
  }

  /** Whether no further attempt of the webhook could start. */
  #isFull({ webhookId }: Claim): boolean {
    return this.#running.size >= ATTEMPTS_MAX || (this.#runningByWebhook().get(webhookId) ?? 0) >= PER_WEBHOOK_MAX;
  }

  #start(claim: Claim): void {
    const { sender, log, onRoom } = this.#ctx;
    const attempt = sender
      .attempt(claim)
      .catch((err: unknown) => log.error({ err, delivery: claim.id }, "an attempt of a webhook delivery has no result"))
      .finally(() => {
        const wasFull = this.#isFull(claim);
        this.#running.delete(claim);
        if (wasFull) onRoom();
      });
    this.#running.set(claim, attempt);
  }
}
