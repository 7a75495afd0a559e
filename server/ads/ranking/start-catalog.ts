import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock";
import { loadClickRates } from "../auction/load-click-rates";
import { startPacing } from "../budgets/start-pacing";
import type { Catalog } from "./catalog";
import { ChannelKeys } from "./channel-keys";
import { followCatalog, loadCatalog } from "./follow-catalog";
import { ThreadIndexer } from "./indexer";
import { repeat } from "./repeat";
import { ServingState } from "./serving-state";

const FOLLOW_EVERY_MS = 300;
const CLICK_RATES_EVERY_MS = 60_000;

export interface CatalogOptions {
  sql: Pool;
  /** Where click rates come from; without it they are as for what was never seen. */
  clickhouse?: ClickHouseClient | undefined;
  clock: Clock;
  /** A built index-worker.ts, which large changes are prepared with on a thread of their own. */
  indexWorkerFile?: string | undefined;
  log: Pick<Logger, "info" | "warn">;
}

/**
 * Loads everything, then follows Postgres every 300 ms, and paces campaigns by what they spend, until `stop()`. Rejects when the first
 * load fails; later failures are logged once, what is known goes on serving, and following resumes where it stopped.
 */
export async function startCatalog({ sql, clickhouse, clock, log, ...given }: CatalogOptions): Promise<Catalog> {
  const state = new ServingState();
  const indexer = given.indexWorkerFile === undefined ? undefined : new ThreadIndexer(given.indexWorkerFile, log);
  const mirror = { state, keys: new ChannelKeys(state.channels), indexer, log };
  let snapshot = await loadCatalog(sql, mirror);
  const pacing = await startPacing({ sql, clickhouse, clock, log, state });
  log.info({ items: state.index.size, channels: state.channels.size }, "catalog loaded");
  const following = repeat({ everyMs: FOLLOW_EVERY_MS, log, purpose: "follow the catalog" }, async () => {
    snapshot = await followCatalog(sql, mirror, snapshot);
  });
  const refreshClickRates = async () => {
    if (clickhouse) state.putClickRates(await loadClickRates(clickhouse, clock.now()));
  };
  // Serving begins with the usual rates rather than wait for ClickHouse.
  const rating = repeat({ everyMs: CLICK_RATES_EVERY_MS, log, purpose: "read click rates" }, refreshClickRates, {
    atOnce: true,
  });
  return {
    snapshot: () => state,
    channelByKeyHash: (hash) => mirror.keys.find(hash),
    channelById: (id) => state.channel(id),
    browserOrigins: () => mirror.keys.origins(),
    get size() {
      return state.index.size;
    },
    get isCurrent() {
      return following.isHealthy;
    },
    noteServed: pacing.noteServed,
    stop: async () => {
      await Promise.all([following.stop(), pacing.stop(), rating.stop(), indexer?.stop()]);
    },
  };
}
