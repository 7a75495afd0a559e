import type { Logger } from "pino";
import type { Network } from "../../engines/guarded-fetch";
import type { StartedAlarms } from "../../engines/start-alarms";
import type { QuietPart } from "../../identity/part";
import { startFeedFetches } from "./feed-fetches";
import { feedScheduleRoutes } from "./feed-schedules.routes";
import type { FetchCtx } from "./fetch-feed";
import { FETCH_LIMITS, type FetchLimits } from "./fetch-limits";

interface Needs extends Omit<FetchCtx, "limits" | "network"> {
  alarms: Pick<StartedAlarms, "add">;
  log: Logger;
  /** How feeds are fetched; by default over the public network. */
  feedNetwork?: Network | undefined;
  feedFetchLimits?: FetchLimits | undefined;
  config: { roles: ReadonlySet<string> };
}

/** Feeds that svc fetches from a URL; workers fetch them. */
export const feedSchedulesPart: QuietPart<Needs, typeof feedScheduleRoutes> = {
  name: "feed fetches",
  routes: [feedScheduleRoutes],
  start: ({ alarms, log, feedNetwork: network, feedFetchLimits: limits = FETCH_LIMITS, config, ...ctx }) => {
    if (!config.roles.has("worker")) return { gives: {} };
    const { sql, clock, imports, itemsMax, encryptionKey, publicUrl } = ctx;
    const fetches = startFeedFetches(
      { sql, clock, imports, itemsMax, encryptionKey, publicUrl, network, limits },
      { alarms, log },
    );
    return { gives: {}, stop: () => fetches.stop() };
  },
};
