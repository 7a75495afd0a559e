import { setTimeout as sleep } from "node:timers/promises";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { Clock } from "../../kernel/clock";
import { GroupCommit } from "../../kernel/group-commit";
import { repeat } from "../../kernel/repeat";
import { clickRateReader } from "../auction/load-click-rates";
import { termAffinityReader } from "../auction/load-term-affinity";
import { SPENDING_TOPIC, startPacing } from "../budgets/start-pacing";
import { endDeadImports } from "../imports/import-marks";
import { ThreadIndexer } from "../matching/indexer";
import { ServingState } from "../matching/serving-state";
import type { ChannelRefs } from "../network-channels/channel-refs";
import type { Mirror } from "./apply-rows";
import type { Catalog } from "./catalog";
import { CatalogItems } from "./catalog-items";
import { ChannelKeys } from "./channel-keys";
import { followBuyers } from "./follow-buyers";
import { followCatalog, loadCatalog } from "./follow-catalog";

/** So that one read serves the transactions of an import. */
const FOLLOW_GATHER_MS = 40;
/** While items wait for memory. */
const MAKE_ROOM_EVERY_MS = 1000;
/** How often a process looks for imports that were killed, while there are any. */
const DEAD_IMPORTS_EVERY_MS = 1000;
/** The interval between reads of Postgres for unknown keys, which any client can send. */
const FOLLOW_APART_MS = 20;
const REFRESHES_WAITING_MAX = 10_000;
const CLICK_RATES_EVERY_MS = 60_000;
/** Reads single events, unlike click rates. */
const TERM_AFFINITY_EVERY_MS = 300_000;

export interface CatalogOptions {
  sql: Pool;
  /** Source of click rates and term affinities; without it, those of items without data apply. */
  clickhouse?: ClickHouseClient | undefined;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add" | "wake">;
  /** Treats every advertiser as approved, as when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
  channelRefs: ChannelRefs;
  /** Memory limit for the index and its items; by default no limit. */
  bytesMax?: number | undefined;
  /** A compiled index-worker.ts, which prepares large changes on its own thread. */
  indexWorkerFile?: string | undefined;
  log: Pick<Logger, "info" | "warn">;
}

/**
 * Loads everything, then follows what is committed in Postgres and paces campaigns by their spend until `stop()`. Rejects
 * if the first load fails. Later failures are logged once; the known data is still served, and following resumes where
 * it stopped.
 */
export async function startCatalog({
  sql,
  clickhouse,
  clock,
  alarms,
  log,
  ...given
}: CatalogOptions): Promise<Catalog> {
  const state = new ServingState();
  const indexer = given.indexWorkerFile === undefined ? undefined : new ThreadIndexer(given.indexWorkerFile, log);
  const { automaticReview, channelRefs, bytesMax = Number.POSITIVE_INFINITY } = given;
  const items = new CatalogItems({ state, bytesMax, now: () => clock.now(), log });
  const mirror = { state, items, keys: new ChannelKeys(state.channels), indexer, automaticReview, channelRefs, log };
  const snapshot = await loadCatalog(sql, mirror);
  const pacing = await startPacing({ sql, clickhouse, clock, alarms, log, state });
  const buyers = await followBuyers(sql, { state, alarms, isServing: pacing.isServing });
  log.info({ items: state.index.size, channels: state.channels.size }, "catalog loaded");
  const following = startFollowing({ sql, alarms, mirror }, snapshot);
  const learning = clickhouse && startLearning({ clickhouse, clock, log, state });
  return {
    snapshot: () => state,
    channelByKeyHash: (hash) => mirror.keys.find(hash),
    channelById: (id) => state.channel(id),
    browserOrigins: () => mirror.keys.origins(),
    get size() {
      return state.index.size;
    },
    get bytes() {
      return state.bytes;
    },
    get leftOut() {
      return items.leftOut;
    },
    refresh: following.refresh,
    recordServed: pacing.recordServed,
    stop: async () => {
      await Promise.all([following.stop(), pacing.stop(), buyers.stop(), learning?.stop()]);
      await indexer?.stop();
    },
  };
}

interface FollowingParts extends Pick<CatalogOptions, "sql" | "alarms"> {
  mirror: Mirror;
}

/** Reads what is committed after the snapshot: in rounds, and at once for a caller that cannot wait for the next round. */
function startFollowing({ sql, alarms, mirror }: FollowingParts, loaded: string) {
  const { state, items } = mirror;
  let snapshot = loaded;
  let followedAt = 0;
  let lookedAt = 0;
  const follows = new GroupCommit<undefined, undefined>(
    async (callers) => {
      await sleep(Math.max(0, followedAt + FOLLOW_APART_MS - performance.now()));
      followedAt = performance.now();
      const followed = await followCatalog(sql, mirror, snapshot);
      snapshot = followed.snapshot;
      if (followed.tables.includes("campaigns")) alarms.wake(SPENDING_TOPIC);
      if (followedAt - lookedAt >= DEAD_IMPORTS_EVERY_MS) {
        lookedAt = followedAt;
        await endDeadImports(sql, items.importing());
      }
      return callers;
    },
    { itemsMax: REFRESHES_WAITING_MAX, waitingMax: REFRESHES_WAITING_MAX },
  );
  const refresh = () => follows.add(undefined);
  const round = alarms.add({
    topic: "catalog",
    purpose: "follow the catalog",
    gatherMs: FOLLOW_GATHER_MS,
    everyMs: () =>
      state.leftOut.size > 0 || items.isDue()
        ? MAKE_ROOM_EVERY_MS
        : items.importing().length > 0
          ? DEAD_IMPORTS_EVERY_MS
          : undefined,
    run: refresh,
  });
  return {
    refresh,
    stop: async () => {
      await round.stop();
      await follows.close();
    },
  };
}

interface LearningParts extends Pick<CatalogOptions, "clock" | "log"> {
  clickhouse: ClickHouseClient;
  state: ServingState;
}

/** Reads click rates and clicks by word at intervals. Until the first read, the usual rates apply: the start does not wait for ClickHouse. */
function startLearning({ clickhouse, clock, log, state }: LearningParts) {
  const readClickRates = clickRateReader(clickhouse);
  const readTermAffinity = termAffinityReader(clickhouse);
  const rates = repeat(
    { everyMs: CLICK_RATES_EVERY_MS, log, purpose: "read click rates" },
    async () => state.putClickRates(await readClickRates(clock.now())),
    { atOnce: true },
  );
  const words = repeat(
    { everyMs: TERM_AFFINITY_EVERY_MS, log, purpose: "read clicks by word" },
    async () => state.putTermAffinity(await readTermAffinity(clock.now())),
    { atOnce: true },
  );
  return { stop: () => Promise.all([rates.stop(), words.stop()]) };
}
