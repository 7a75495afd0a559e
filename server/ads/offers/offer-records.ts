import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { unavailableIfAway } from "../../engines/postgres/is-away";
import { answeredWithin } from "../../kernel/answered-within";
import { GroupCommit } from "../../kernel/group-commit";
import { STORE_WAIT_MS } from "../limits";
import type { OfferRecord } from "./offer-record";
import { insertOffers, loadOffers } from "./offers.sql";

/** Recently served offers that a process keeps at hand, at about 500 bytes each. */
const REMEMBERED_MAX = 50_000;
const LOADS_PER_QUERY_MAX = 1000;
const INSERTS_PER_QUERY_MAX = 256;
const WAITING_MAX = 20_000;

/** The records of served offers: written to Postgres in groups before anyone hears of them, read back through memory. */
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

  /** Resolves when every record is durable. Throws `unavailable` when Postgres is away or cannot keep up. */
  async write(records: readonly OfferRecord[]): Promise<void> {
    try {
      await this.#inserts.add(records);
    } catch (failure) {
      throw unavailableIfAway(failure);
    }
    for (const record of records) this.#remembered.set(record.id, record);
  }

  remembered(id: string): OfferRecord | undefined {
    return this.#remembered.get(id);
  }

  /**
   * The record of an offer, from memory or Postgres; undefined when there never was one or its day was dropped.
   * Throws `unavailable` when Postgres is away or does not answer in time.
   */
  async find(id: string): Promise<OfferRecord | undefined> {
    return this.#remembered.get(id) ?? this.refresh(id);
  }

  /** Reads an offer anew: another process may have counted it. What is remembered stays while Postgres is away. */
  async refresh(id: string): Promise<OfferRecord | undefined> {
    try {
      const loaded = await answeredWithin(STORE_WAIT_MS, this.#loads.add(id));
      if (loaded) this.#remembered.set(id, loaded);
      return loaded;
    } catch (failure) {
      throw unavailableIfAway(failure);
    }
  }

  /** Reads a user's offers anew when they are next asked for: Postgres no longer tells whose they are. */
  forgetUser(userKey: string): void {
    for (const [id, { userKey: key, caps }] of this.#remembered.entries()) {
      if (key === userKey || caps?.user === userKey) this.#remembered.delete(id);
    }
  }

  async drain(): Promise<void> {
    await Promise.all([this.#inserts.drain(), this.#loads.drain()]);
  }
}
