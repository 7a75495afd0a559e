import type { Pool } from "pg";
import type { Logger } from "pino";
import type { AddressPolicy } from "../../../engines/address-policy";
import type { Network } from "../../../engines/guarded-fetch";
import { GroupCommit } from "../../../kernel/group-commit";
import { Turns } from "../../../kernel/turns";
import { type AttemptResult, attemptResult } from "./attempt-result";
import type { Claim } from "./claim";
import { eventBodyOf } from "./event-body";
import { postEvent } from "./post-event";
import { type StoredResult, storeResults } from "./results.sql";
import { signatureHeaders } from "./sign-request";
import type { AtWebhookStep } from "./steps";
import { type HealthCtx, updateHealth } from "./webhook-health";
import { unsealSecret } from "./webhook-secret";

const USER_AGENT = "svc-webhooks/1.0";
/** Specification, "Limits". */
export const ATTEMPT_MS = 10_000;
/** Results in one statement, and those that wait for one: as many as attempts can run, and more. */
const [RESULTS_MAX, RESULTS_WAITING_MAX] = [100, 20_000];
/** Tests and replays of one tenant that run at once in this process. */
const TURNS = { running: 10, waiting: 40, waitMs: 10_000 };

export interface SenderCtx extends HealthCtx {
  sql: Pool;
  encryptionKey: Buffer;
  network: Network | undefined;
  policy: AddressPolicy;
  log: Pick<Logger, "error">;
  atStep: AtWebhookStep;
  random: () => number;
  attemptMs: number;
}

/** Makes attempts in this process and stores their results. */
export class WebhookSender {
  readonly #ctx: SenderCtx;
  readonly #results: GroupCommit<AttemptResult, StoredResult | undefined>;
  readonly #turns = new Turns(TURNS, "tests and replays");

  constructor(ctx: SenderCtx) {
    this.#ctx = ctx;
    this.#results = new GroupCommit((results) => storeResults(ctx.sql, results), {
      itemsMax: RESULTS_MAX,
      waitingMax: RESULTS_WAITING_MAX,
      flushesMax: 2,
    });
  }

  /** Runs work that ends with an attempt when the tenant has a turn. Throws `rate_limited`. */
  turn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(tenantId, work);
  }

  /** Sends a claimed delivery once and stores the result. If it throws, the attempt is repeated when its lease ends. */
  async attempt(claim: Claim): Promise<void> {
    const { clock, atStep, random } = this.#ctx;
    const startedAt = clock.now();
    const startedMs = performance.now();
    const result = await this.#post(claim, startedAt);
    const latencyMs = Math.round(performance.now() - startedMs);
    atStep("delivery.attempted");
    const made = attemptResult({ claim, result, startedAt, latencyMs, now: clock.now() }, random);
    const before = await this.#results.add(made);
    atStep("delivery.stored");
    if (before) await updateHealth(this.#ctx, { result: made, before });
  }

  /** Resolves when the results of ended attempts are stored. */
  close(): Promise<void> {
    return this.#results.close();
  }

  #post(claim: Claim, at: Date) {
    const { network, policy, attemptMs: timeoutMs } = this.#ctx;
    const body = Buffer.from(JSON.stringify(eventBodyOf(claim.event)));
    const headers = {
      "content-type": "application/json",
      "user-agent": USER_AGENT,
      ...signatureHeaders({ id: claim.event.id, body, secrets: this.#secretsOf(claim, at), at }),
    };
    return postEvent({ url: claim.url, body, headers }, { network, policy, timeoutMs });
  }

  #secretsOf({ webhookId, sealedSecret, sealedPreviousSecret: previous, previousSecretUntil }: Claim, at: Date) {
    const { encryptionKey } = this.#ctx;
    const sealed = previous !== null && previousSecretUntil && at < previousSecretUntil ? [previous] : [];
    return [sealedSecret, ...sealed].map((one) => unsealSecret(encryptionKey, webhookId, one));
  }
}
