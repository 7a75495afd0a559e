import path from "node:path";
import type { Part } from "../../identity/part";
import type { Catalog } from "./catalog";
import { type CatalogOptions, startCatalog } from "./start-catalog";

interface Needs
  extends Pick<CatalogOptions, "sql" | "clickhouse" | "clock" | "alarms" | "log" | "channelRefs" | "automaticReview"> {
  config: {
    /** Memory limit of the item index. */
    catalogBytes: number;
  };
}

/** What this process serves, in memory. */
export const catalogPart: Part<Needs, { catalog: Catalog }> = {
  name: "catalog",
  start: async ({ sql, clickhouse, clock, alarms, log, channelRefs, automaticReview, config }) => {
    const catalog = await startCatalog({
      sql,
      clickhouse,
      clock,
      alarms,
      log,
      channelRefs,
      automaticReview,
      bytesMax: config.catalogBytes,
      // Next to the compiled server. If it is missing, as in tests, items are prepared on the main thread.
      indexWorkerFile: path.join(import.meta.dirname, "index-worker.mjs"),
    });
    return { gives: { catalog }, stop: () => catalog.stop() };
  },
};
