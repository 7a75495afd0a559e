import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../../kernel/clock";
import type { Catalog } from "./catalog";
import { ChannelKeys } from "./channel-keys";
import { followCatalog, loadCatalog } from "./follow-catalog";
import { repeat } from "./repeat";
import { ServingState } from "./serving-state";
import { refreshSpend } from "./spend";

const FOLLOW_EVERY_MS = 300;
const SPEND_EVERY_MS = 1000;

export interface CatalogOptions {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
}

/**
 * Loads everything, then follows Postgres every 300 ms and spending every second until `stop()`. Rejects when the first
 * load fails; later failures are logged once, what is known goes on serving, and following resumes where it stopped.
 */
export async function startCatalog({ sql, clock, log }: CatalogOptions): Promise<Catalog> {
  const state = new ServingState();
  const mirror = { state, keys: new ChannelKeys(state.channels), log };
  let snapshot = await loadCatalog(sql, mirror);
  await refreshSpend(sql, state, clock.now());
  log.info({ items: state.index.size, channels: state.channels.size }, "catalog loaded");
  const following = repeat({ everyMs: FOLLOW_EVERY_MS, log, purpose: "follow the catalog" }, async () => {
    snapshot = await followCatalog(sql, mirror, snapshot);
  });
  const spending = repeat({ everyMs: SPEND_EVERY_MS, log, purpose: "read campaign spending" }, () =>
    refreshSpend(sql, state, clock.now()),
  );
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
    stop: async () => {
      await Promise.all([following.stop(), spending.stop()]);
    },
  };
}
