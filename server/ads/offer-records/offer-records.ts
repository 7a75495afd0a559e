import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import { GroupCommit } from "../../kernel/group-commit";
import { withTimeout } from "../../kernel/with-timeout";
import { STORE_WAIT_MS } from "../limits";
import type { OfferRecord } from "./offer-record";
import { insertOffers, loadOffers } from "./offers.sql";

/** The number of recently served offers that a process caches, at about 500 bytes each. */
const REMEMBERED_MAX = 50_000;
const LOADS_PER_QUERY_MAX = 1000;
const INSERTS_PER_QUERY_MAX = 256;
const WAITING_MAX = 20_000;

/**
 * Stores the records of served offers: written to Postgres in groups before offers are returned, read through a cache.
 */
export class OfferRecords {
  readonly #remembered = new LRUCache<string, OfferRecord>({ max: REMEMBERED_MAX });
  readonly #inserts: GroupCommit<readonly OfferRecord[], undefined>;
  readonly #loads: GroupCommit<string, OfferRecord | undefined>;

  constructor(sql: Pool) {
    const insertGroup = async (groups: (readonly OfferRecord[])[]): Promise<undefined[]> => {
      await insertOffers(sql, groups.flat());
      return groups.map(() => undefined);
    };
    this.#inserts = new GroupCommit(insertGroup, {
      itemsMax: INSERTS_PER_QUERY_MAX,
      waitingMax: WAITING_MAX,
      flushesMax: 2,
    });
    const loadGroup = async (ids: string[]) => {
      const found = new Map((await loadOffers(sql, ids)).map((record) => [record.id, record]));
      return ids.map((id) => found.get(id));
    };
    this.#loads = new GroupCommit(loadGroup, { itemsMax: LOADS_PER_QUERY_MAX, waitingMax: WAITING_MAX, flushesMax: 2 });
  }

  /** Resolves when every record is durable. Throws `unavailable` if Postgres is unavailable or cannot keep up. */
  async write(records: readonly OfferRecord[]): Promise<void> {
    try {
      await this.#inserts.add(records);
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    }
    for (const record of records) this.#remembered.set(record.id, record);
  }

  remembered(id: string): OfferRecord | undefined {
    return this.#remembered.get(id);
  }

  /**
   * Returns the record of an offer from the cache or Postgres; undefined if it never existed or its day was dropped.
   * Throws `unavailable` if Postgres is unavailable or does not respond in time.
   */
  async find(id: string): Promise<OfferRecord | undefined> {
    return this.#remembered.get(id) ?? this.refresh(id);
  }

  /**
   * Reads an offer again, because another process may have counted it. Keeps the cached record if Postgres is
   * unavailable.
   */
  async refresh(id: string): Promise<OfferRecord | undefined> {
    try {
      const loaded = await withTimeout(STORE_WAIT_MS, this.#loads.add(id));
      if (loaded) this.#remembered.set(id, loaded);
      return loaded;
    } catch (failure) {
      throw unavailableOnConnectionError(failure);
    }
  }

  /** Evicts a user's offers from the cache, because Postgres no longer stores which user they belong to. */
  forgetUser(userKey: string): void {
    for (const [id, { userKey: key, caps }] of this.#remembered.entries()) {
      if (key === userKey || caps?.user === userKey) this.#remembered.delete(id);
    }
  }

  async drain(): Promise<void> {
    await Promise.all([this.#inserts.drain(), this.#loads.drain()]);
  }
}
