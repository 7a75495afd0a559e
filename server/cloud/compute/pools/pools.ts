import type { Prisma } from "../../../engines/postgres/generated/client";
import { CachedPool } from "./cached-pool";
import { type GangKeep, gangKeepOf } from "./gang-keeps.sql";
import { type Nomination, nominationsOf } from "./nominations.sql";
import { changedNodes, lockPool } from "./pools.sql";

/** A pool that the transaction has locked, and what this process decides with. */
export interface LockedPool {
  pool: string;
  /** What `takeDevices` compares, so that nothing is written that was decided on an older state. */
  version: bigint;
  cache: CachedPool;
  /** What is kept for runs that wait. */
  nominations: Nomination[];
  /** What is kept for a gang that waits. */
  keep: GangKeep | undefined;
}

/** The pools of GPUs, each with a scheduler in the memory of this process. */
export class GpuPools {
  readonly #cached = new Map<string, CachedPool>();

  /** Locks a pool until the transaction ends, and reads what has changed since this process decided about it last. */
  async lock(tx: Prisma.TransactionClient, pool: string): Promise<LockedPool> {
    const version = await lockPool(tx, pool);
    const known = this.#cached.get(pool);
    // The version is lower when the database was restored from a backup.
    const cache = known && known.version <= version ? known : new CachedPool();
    const names = cache.touched;
    if (cache.version < version || names.length > 0) {
      this.#cached.delete(pool);
      cache.apply(await changedNodes(tx, { pool, since: cache.version, names }), version);
    }
    this.#cached.set(pool, cache);
    return { pool, version, cache, nominations: await nominationsOf(tx, pool), keep: await gangKeepOf(tx, pool) };
  }
}
