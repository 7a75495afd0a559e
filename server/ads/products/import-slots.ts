import type { Pool } from "pg";
import { ClaimSession } from "../../engines/postgres/session-claim";
import { ServiceError } from "../../kernel/errors";
import { importClaimOf } from "../imports/import-marks";
import type { FeedLimits } from "./feed-limits";
import { BrokenFeed } from "./feed-line";

const RETRY_AFTER_SECONDS = 15;

export interface ImportSlot {
  /** Aborted with a BrokenFeed when the import must stop: its locks are lost, or the process is stopping. */
  signal: AbortSignal;
  release(): Promise<void>;
}

export interface ImportOf {
  tenantId: string;
  campaignId: string;
  /** Leaves one of the tenant's slots to uploads, for imports that nobody waits for. */
  isScheduled?: boolean;
}

type SlotLimits = Pick<FeedLimits, "importsPerTenantMax" | "importsPerProcessMax">;

/**
 * Limits concurrent imports: one per campaign and a few per tenant across all processes, and a few per process. The
 * first two are claims of a session that stays open during imports, so a killed process releases them immediately.
 */
export class ImportSlots {
  readonly #sql: Pool;
  readonly #limits: SlotLimits;
  readonly #running = new Set<AbortController>();
  /** Those with an import of this process, also of one whose session was lost and which has not ended yet. */
  readonly #campaigns = new Set<string>();
  #session: Promise<ClaimSession> | undefined;
  #onIdle: () => void = () => undefined;

  constructor(sql: Pool, limits: SlotLimits) {
    this.#sql = sql;
    this.#limits = limits;
  }

  /**
   * Throws `conflict` (`details.reason: "import_running"`) while the campaign has an import, and `rate_limited`
   * (`details.reason: "too_many_imports"`) when the limit of the tenant or of this process is reached.
   */
  async take({ tenantId, campaignId, isScheduled = false }: ImportOf): Promise<ImportSlot> {
    if (this.#campaigns.has(campaignId)) throw importRunning();
    if (this.#running.size >= this.#limits.importsPerProcessMax) throw tooMany("This server");
    const controller = new AbortController();
    this.#running.add(controller);
    this.#campaigns.add(campaignId);
    let session: ClaimSession | undefined;
    const names: string[] = [];
    const release = async () => {
      for (const name of names.splice(0)) await session?.release(name);
      this.#running.delete(controller);
      this.#campaigns.delete(campaignId);
      if (this.#running.size > 0) return;
      await this.#disconnect();
      this.#onIdle();
    };
    try {
      session = await this.#connect();
      const campaign = importClaimOf(campaignId);
      if (!(await session.take(campaign))) throw importRunning();
      names.push(campaign);
      names.push(await this.#takeOfTenant(session, tenantId, isScheduled ? 1 : 0));
    } catch (cause) {
      await release();
      throw cause;
    }
    return { signal: controller.signal, release };
  }

  /** Stops all imports of this process and waits until each has released its slot. */
  async stop(): Promise<void> {
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    this.#abort("The server is stopping; send the feed again.");
    await idle;
  }

  async #takeOfTenant(session: ClaimSession, tenantId: string, first: number): Promise<string> {
    for (let i = first; i < this.#limits.importsPerTenantMax; i++) {
      const name = `product-import:tenant:${tenantId}:${i}`;
      if (await session.take(name)) return name;
    }
    throw tooMany("Your account");
  }

  #connect(): Promise<ClaimSession> {
    if (this.#session) return this.#session;
    const opening = ClaimSession.open(this.#sql.options.connectionString);
    this.#session = opening;
    opening.then(
      ({ signal }) => signal.addEventListener("abort", () => this.#lose(opening)),
      () => this.#lose(opening),
    );
    return opening;
  }

  /** Another process may have the names from then on, so imports that rely on them stop. */
  #lose(lost: Promise<ClaimSession>): void {
    if (this.#session !== lost) return;
    this.#session = undefined;
    this.#abort("The import lost its connection to the database; send the feed again.");
  }

  async #disconnect(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await (await session?.catch(() => undefined))?.close();
  }

  #abort(sentence: string): void {
    for (const controller of this.#running) controller.abort(new BrokenFeed("server_stopping", sentence));
  }
}

const importRunning = () =>
  new ServiceError("conflict", "Another import into this campaign is running; wait until it has ended.", {
    details: { reason: "import_running" },
  });

const tooMany = (who: string) =>
  new ServiceError("rate_limited", `${who} has too many concurrent imports; retry in ${RETRY_AFTER_SECONDS} s.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    details: { reason: "too_many_imports" },
  });
