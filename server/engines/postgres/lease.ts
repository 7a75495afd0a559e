import { hostname } from "node:os";
import type { ClientBase, Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { inTransaction } from "./in-transaction";

/** Names this process in the leases that it takes. */
export const LEASE_OWNER = `${hostname()}:${process.pid}`;

/** A row that one process works on, as that process knows it. */
export interface Lease {
  id: string;
  /** The process that has it. */
  owner: string;
  /** Counts the takings of the row: what a former holder writes with a lower one is rejected. */
  fence: number;
}

/** Another process has the row now, or nobody may have it any more. */
export class LostLease extends Error {
  constructor(table: string, id: string) {
    super(`the lease of ${id} in ${table} was lost`);
  }
}

/**
 * The time by which a lease is free, taken or extended: that of the caller's clock, or null for that of the database,
 * which all processes agree on. A table uses one of them throughout.
 */
export type LeaseTime = Date | null;

export interface LeasedRowsOptions {
  table: string;
  /** How long a lease lasts without a sign of life of its holder. */
  ms: number;
  /** A condition on columns of the row. While it does not hold, nobody has the row: it has ended or is paused. */
  isOpen?: string;
  /** The column of the time until which a row is leased; default: `lease_until`. */
  until?: string;
}

/** Extensions of a lease before it would end: one or two of them may fail. */
const EXTENSIONS = 4;

/**
 * Leases of the rows of a table, which has the columns `id`, `lease_owner` (text), `lease_until` (timestamptz) and
 * `lease_fence` (integer, not null, 0 at first).
 *
 * A process takes a row that is free (never taken, released, or leased until a time that has passed), extends the lease
 * while it works and releases it at the end. When the process is killed, another one takes the row once the lease has
 * ended. Each taking increases the fence, so that a process that was only suspended writes nothing afterwards: its
 * statements contain `isHeld`, or run in `whileHeld`. Effects outside of the database are not protected by this; the
 * signal of `keep` aborts when the lease is lost, or can no longer be extended in time.
 *
 * A row that is not leased may also have a time in `until`: it is not free before that.
 */
export class LeasedRows {
  readonly ms: number;
  readonly #table: string;
  readonly #until: string;
  readonly #isOpen: string;

  constructor({ table, ms, isOpen = "true", until = "lease_until" }: LeasedRowsOptions) {
    this.ms = ms;
    this.#table = table;
    this.#until = until;
    this.#isOpen = `(${isOpen})`;
  }

  /** SQL: the row is open and free. `now` is an SQL expression, such as `$2` or `now()`. */
  isFree(now: string): string {
    return `(${this.#isOpen} AND (${this.#until} IS NULL OR ${this.#until} <= ${now}))`;
  }

  /** SQL: the assignments that take a row. The parameters are SQL expressions; `alias` is that of the table. */
  taking({ owner, now, alias = this.#table }: { owner: string; now: string; alias?: string }): string {
    return `lease_owner = ${owner}, ${this.#until} = ${this.#endOf(now)}, lease_fence = ${alias}.lease_fence + 1`;
  }

  /** SQL: the row is open, and leased by the lease with these SQL expressions as owner and fence. */
  isHeld({ owner, fence }: { owner: string; fence: string }): string {
    return `(${this.#isOpen} AND lease_owner = ${owner} AND lease_fence = ${fence})`;
  }

  /**
   * Extends a lease from now on, and sets further columns. Returns false if it was lost: the row was taken by another
   * process, or is not open.
   */
  async extend(
    sql: Pick<Pool, "query">,
    { id, owner, fence }: Lease,
    { now, set = {} }: { now: LeaseTime; set?: Readonly<Record<string, unknown>> },
  ): Promise<boolean> {
    const more = Object.keys(set).map((column, i) => `, ${column} = $${i + 5}`);
    const { rowCount } = await sql.query(
      `UPDATE ${this.#table} SET ${this.#until} = ${this.#endOf(timeOf("$4"))}${more.join("")}
       WHERE id = $1 AND ${this.isHeld({ owner: "$2", fence: "$3" })}`,
      [id, owner, fence, now, ...Object.values(set)],
    );
    return rowCount === 1;
  }

  /** Ends a lease, and sets further columns; the row is free from `until` on, by default at once. Nothing if it was lost. */
  async release(
    sql: Pick<Pool, "query">,
    { id, owner, fence }: Lease,
    { until = null, set = {} }: { until?: Date | null; set?: Readonly<Record<string, unknown>> } = {},
  ): Promise<void> {
    const more = Object.keys(set).map((column, i) => `, ${column} = $${i + 5}`);
    await sql.query(
      `UPDATE ${this.#table} SET lease_owner = NULL, ${this.#until} = $4${more.join("")}
       WHERE id = $1 AND lease_owner = $2 AND lease_fence = $3`,
      [id, owner, fence, until, ...Object.values(set)],
    );
  }

  /** Locks a leased row until the transaction ends. Throws `LostLease`. */
  async lock(client: Pick<ClientBase, "query">, { id, owner, fence }: Lease): Promise<void> {
    const { rows } = await client.query(
      `SELECT 1 AS one FROM ${this.#table} WHERE id = $1 AND ${this.isHeld({ owner: "$2", fence: "$3" })} FOR UPDATE`,
      [id, owner, fence],
    );
    if (rows.length === 0) throw new LostLease(this.#table, id);
  }

  /** Runs `work` in a transaction that no other process can overtake. Throws `LostLease`, and then writes nothing. */
  whileHeld<T>(sql: Pool, lease: Lease, work: (client: PoolClient) => Promise<T>): Promise<T> {
    return inTransaction(sql, async (client) => {
      await this.lock(client, lease);
      return work(client);
    });
  }

  /**
   * Extends a lease with `extend` until `stop`. The signal aborts with `LostLease` when `extend` returns false, and when
   * the lease has not been extended for as long as it lasts: from then on another process may have it.
   */
  keep(id: string, { extend, log }: KeepLease): KeptLease {
    return keepLease({ extend, log, id, ms: this.ms, lost: new LostLease(this.#table, id) });
  }

  #endOf(now: string): string {
    return `${now}::timestamptz + make_interval(secs => ${this.ms / 1000})`;
  }
}

/** SQL: a parameter of the type `LeaseTime` as a time. */
export const timeOf = (parameter: string): string => `coalesce(${parameter}::timestamptz, statement_timestamp())`;

export interface KeepLease {
  extend: () => Promise<boolean>;
  log: Pick<Logger, "warn">;
}

export interface KeptLease {
  signal: AbortSignal;
  /** Extends it no more. */
  stop(): void;
}

function keepLease({ extend, log, id, ms, lost }: KeepLease & { id: string; ms: number; lost: LostLease }): KeptLease {
  const losing = new AbortController();
  let extendedAt = performance.now();
  let isExtending = false;
  const stop = () => clearInterval(timer);
  const lose = () => {
    stop();
    losing.abort(lost);
  };
  const extendOnce = async (): Promise<void> => {
    const at = performance.now();
    if (at - extendedAt >= ms) return lose();
    if (isExtending) return;
    isExtending = true;
    try {
      if (await extend()) extendedAt = at;
      else lose();
    } catch (err) {
      log.warn({ err, id }, "cannot extend a lease");
    } finally {
      isExtending = false;
    }
  };
  const timer = setInterval(() => void extendOnce(), ms / EXTENSIONS).unref();
  return { signal: losing.signal, stop };
}
