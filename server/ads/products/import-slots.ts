import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { ServiceError } from "../../kernel/errors";
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
 * first two are Postgres advisory locks on a connection that stays open during imports, so a killed process releases
 * them immediately.
 */
export class ImportSlots {
  readonly #sql: Pool;
  readonly #limits: SlotLimits;
  readonly #running = new Set<AbortController>();
  /** Locks of this process. Advisory locks are reentrant, so Postgres would grant its connection each of them again. */
  readonly #held = new Set<string>();
  #connection: Promise<PoolClient> | undefined;
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
    const campaign = `campaign:${campaignId}`;
    if (this.#held.has(campaign)) throw importRunning();
    if (this.#running.size >= this.#limits.importsPerProcessMax) throw tooMany("This server");
    const controller = new AbortController();
    this.#running.add(controller);
    const locks: string[] = [];
    const release = async () => {
      for (const lock of locks.splice(0)) await this.#unlock(lock);
      this.#running.delete(controller);
      if (this.#running.size > 0) return;
      await this.#disconnect();
      this.#onIdle();
    };
    try {
      if (!(await this.#lock(campaign))) throw importRunning();
      locks.push(campaign);
      locks.push(await this.#lockTenant(tenantId, isScheduled ? 1 : 0));
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

  async #lockTenant(tenantId: string, first: number): Promise<string> {
    for (let i = first; i < this.#limits.importsPerTenantMax; i++) {
      const lock = `tenant:${tenantId}:${i}`;
      if (await this.#lock(lock)) return lock;
    }
    throw tooMany("Your account");
  }

  async #lock(lock: string): Promise<boolean> {
    if (this.#held.has(lock)) return false;
    this.#held.add(lock);
    let taken = false;
    try {
      taken = await this.#callLock("pg_try_advisory_lock", lock);
    } finally {
      if (!taken) this.#held.delete(lock);
    }
    return taken;
  }

  async #unlock(lock: string): Promise<void> {
    try {
      // Postgres has already released the locks of a lost connection.
      if (this.#connection && !(await this.#callLock("pg_advisory_unlock", lock))) this.#lose();
    } catch {
      this.#lose();
    } finally {
      this.#held.delete(lock);
    }
  }

  async #callLock(call: string, lock: string): Promise<boolean> {
    const client = await this.#connect();
    const { rows } = await client.query<{ yes: boolean }>(`SELECT ${call}($1::bigint) AS yes`, [lockId(lock)]);
    return rows[0]?.yes === true;
  }

  #connect(): Promise<PoolClient> {
    if (this.#connection) return this.#connection;
    const connection = this.#sql.connect().then((client) => client.once("end", this.#onEnd));
    connection.catch(() => this.#lose(connection));
    this.#connection = connection;
    return connection;
  }

  readonly #onEnd = () => this.#lose();

  /** When the connection is lost, another process may acquire the locks, so imports that rely on them stop. */
  #lose(lost = this.#connection): void {
    if (!lost || this.#connection !== lost) return;
    this.#connection = undefined;
    this.#abort("The import lost its connection to the database; send the feed again.");
    void lost.then(
      (client) => client.off("end", this.#onEnd).release(true),
      () => undefined,
    );
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    const client = await connection;
    client?.off("end", this.#onEnd);
    client?.release();
  }

  #abort(sentence: string): void {
    for (const controller of this.#running) controller.abort(new BrokenFeed("server_stopping", sentence));
  }
}

const lockId = (lock: string): string =>
  String(createHash("sha256").update(`product-import:${lock}`).digest().readBigInt64BE());

const importRunning = () =>
  new ServiceError("conflict", "Another import into this campaign is running; wait until it has ended.", {
    details: { reason: "import_running" },
  });

const tooMany = (who: string) =>
  new ServiceError("rate_limited", `${who} has too many concurrent imports; retry in ${RETRY_AFTER_SECONDS} s.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    details: { reason: "too_many_imports" },
  });
