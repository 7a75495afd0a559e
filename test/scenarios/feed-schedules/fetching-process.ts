import { pino } from "pino";
import { FeedFetches } from "../../../server/ads/feed-schedules/feed-fetches";
import { FETCH_LIMITS } from "../../../server/ads/feed-schedules/fetch-limits";
import { FEED_LIMITS } from "../../../server/ads/products/feed-limits";
import { ImportSlots } from "../../../server/ads/products/import-slots";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { systemClock } from "../../../server/kernel/clock";
import { networkTo } from "../../factories/feed-shop";

/** Fetches what is due until it is killed: arguments are the database, the feed worker's file and the shop's port. */
const [url = "", workerFile = "", port = ""] = process.argv.slice(2);
const { sql } = connectPostgres(url, { poolMax: 4 });
const imports = { slots: new ImportSlots(sql, FEED_LIMITS), workerFile, limits: FEED_LIMITS };
const network = networkTo(Number(port));
const shared = { sql, clock: systemClock, limits: FETCH_LIMITS, network, imports };
const log = pino({ level: "warn" });
const fetches = new FeedFetches(
  { ...shared, itemsMax: 1e6, encryptionKey: Buffer.alloc(32), publicUrl: "http://localhost:3000" },
  log,
);
for (;;) {
  await fetches.round();
  await new Promise((resolve) => setTimeout(resolve, 100));
}
