import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../../kernel/clock";
import type { Claim } from "./claim";
import { claimDue, PER_FAILING_WEBHOOK_MAX, PER_TENANT_MAX, PER_WEBHOOK_MAX } from "./deliveries.sql";
import { dispatchEvents } from "./dispatch-events.sql";
import type { AtWebhookStep } from "./steps";

/** Attempts that run at once in one process, of all webhooks. */
const ATTEMPTS_MAX = 500;
/** Deliveries that one statement claims. */
const CLAIMS_MAX = 100;

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

  constructor(ctx: DeliveryLoopCtx) {
    this.#ctx = ctx;
  }

  /** Dispatches a batch of events and starts attempts without waiting for them. Returns whether there may be more. */
  async round(): Promise<boolean> {
    const { sql, clock, atStep } = this.#ctx;
    const { count, hasMore: hasMoreEvents } = await dispatchEvents(sql, clock.now());
    if (count > 0) atStep("events.dispatched");
    const free = Math.min(CLAIMS_MAX, ATTEMPTS_MAX - this.#running.size);
    if (free <= 0) return hasMoreEvents;
    const claims = await claimDue(sql, { now: clock.now(), free, running: this.#counts() });
    if (claims.length > 0) atStep("delivery.claimed");
    for (const claim of claims) this.#start(claim);
    return hasMoreEvents || claims.length === CLAIMS_MAX;
  }

  /** Resolves when no attempt runs. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #counts(): { ofWebhooks: Map<string, number>; ofTenants: Map<string, number> } {
    const [ofWebhooks, ofTenants] = [new Map<string, number>(), new Map<string, number>()];
    for (const { webhookId, event } of this.#running.keys()) {
      ofWebhooks.set(webhookId, (ofWebhooks.get(webhookId) ?? 0) + 1);
      ofTenants.set(event.tenantId, (ofTenants.get(event.tenantId) ?? 0) + 1);
    }
    return { ofWebhooks, ofTenants };
  }

  /** Whether no further attempt of the webhook could start. */
  #isFull({ webhookId, isFailing, event }: Claim): boolean {
    const max = isFailing ? PER_FAILING_WEBHOOK_MAX : PER_WEBHOOK_MAX;
    const { ofWebhooks, ofTenants } = this.#counts();
    if (this.#running.size >= ATTEMPTS_MAX || (ofWebhooks.get(webhookId) ?? 0) >= max) return true;
    return (ofTenants.get(event.tenantId) ?? 0) >= PER_TENANT_MAX;
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
