import pLimit from "p-limit";
import type { Pool } from "pg";
import { unavailableOnConnectionError } from "../../../engines/postgres/connection-error";
import { inTransaction } from "../../../engines/postgres/in-transaction";
import type { Clock } from "../../../kernel/clock";
import { GroupCommit } from "../../../kernel/group-commit";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import type { Change, Outcome, Value } from "./changes";
import { lockTenant, readState } from "./changes.sql";
import { decideChanges } from "./decide-changes";
import { writeDecision } from "./decision.sql";
import { OBJECT_QUOTAS } from "./objects.quotas";

/** How long a blob stays after its last reference is gone: reads that run and backups find it. */
export const REMOVAL_DELAY_MS = 15 * 60_000;

export const DEFAULT_LIMITS = {
  bytes: OBJECT_QUOTAS.storage_bytes.defaultLimit,
  versions: OBJECT_QUOTAS.storage_objects.defaultLimit,
};

/** Keys and parts of one transaction. */
const BATCH_MAX = 1000;
const WAITING_MAX = 20_000;
/** Transactions of different tenants at once; each holds one of the process's connections to Postgres. */
const TRANSACTIONS_MAX = 6;

interface CommitParts {
  sql: Pool;
  clock: Clock;
  storedBytes?: Pick<TenantRoom, "count"> | undefined;
}

/** Commits the changes of this process: those of one tenant that come while a transaction runs share the next one. */
export class ChangeCommits {
  readonly #sql: Pool;
  readonly #clock: Clock;
  readonly #storedBytes: Pick<TenantRoom, "count"> | undefined;
  readonly #tenants = new Map<string, GroupCommit<Change, Outcome>>();
  readonly #turn = pLimit(TRANSACTIONS_MAX);
  #isClosed = false;

  constructor({ sql, clock, storedBytes }: CommitParts) {
    this.#sql = sql;
    this.#clock = clock;
    this.#storedBytes = storedBytes;
  }

  /**
   * Resolves when the change is stored. A `ServiceError` other than `unavailable` says that nothing was changed;
   * after any other failure the change may be stored.
   */
  async commit<C extends Change>(tenantId: string, change: C): Promise<Value<C>> {
    const outcome = await this.#groupOf(tenantId).add(change);
    if ("failure" in outcome) throw outcome.failure;
    return outcome.value as Value<C>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#tenants.values()].map((group) => group.close()));
  }

  #groupOf(tenantId: string): GroupCommit<Change, Outcome> {
    const known = this.#tenants.get(tenantId);
    if (known) return known;
    const group: GroupCommit<Change, Outcome> = new GroupCommit((changes) => this.#flush(tenantId, changes, group), {
      itemsMax: BATCH_MAX,
      waitingMax: WAITING_MAX,
      weightOf: (change) => (change.kind === "delete" ? change.choices.length : 1),
    });
    if (this.#isClosed) void group.close();
    this.#tenants.set(tenantId, group);
    return group;
  }

  async #flush(tenantId: string, changes: readonly Change[], group: GroupCommit<Change, Outcome>): Promise<Outcome[]> {
    try {
      return await this.#turn(() => this.#apply(tenantId, changes));
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    } finally {
      // A change that comes now begins a group of its own; the lock in the database keeps the order.
      if (group.waiting === 0) this.#tenants.delete(tenantId);
    }
  }

  async #apply(tenantId: string, changes: readonly Change[]): Promise<Outcome[]> {
    const { outcomes, usage } = await inTransaction(this.#sql, async (client) => {
      await lockTenant(client, tenantId);
      const now = this.#clock.now().getTime();
      const state = await readState(client, tenantId, { changes, now, defaults: DEFAULT_LIMITS });
      const decision = decideChanges(state, changes);
      await writeDecision(client, decision, { removeAt: new Date(now + REMOVAL_DELAY_MS) });
      return decision;
    });
    let bytes = 0;
    for (const change of usage.values()) bytes += change.bytes;
    if (bytes !== 0) this.#storedBytes?.count(tenantId, "objects", bytes);
    return [...outcomes];
  }
}
