import path from "node:path";
import type { Pool } from "pg";
import type { Part } from "../../identity/part";
import { ITEM_QUOTAS } from "../quotas/item-quotas";
import { FEED_LIMITS } from "./feed-limits";
import { ImportSlots } from "./import-slots";
import type { ProductCtx } from "./product-ctx";
import { productRoutes } from "./products.routes";
import { productTools } from "./products.tools";

interface Needs {
  sql: Pool;
  /** The compiled feed-worker.ts; by default the file next to the compiled server. */
  feedWorkerFile?: string | undefined;
}

/** Campaigns' catalogues, imported as feeds. */
export const productsPart: Part<Needs, Pick<ProductCtx, "imports">, typeof productRoutes> = {
  name: "feed imports",
  routes: [productRoutes],
  tools: productTools,
  quotas: [ITEM_QUOTAS.products],
  start: ({ sql, feedWorkerFile }) => {
    const slots = new ImportSlots(sql, FEED_LIMITS);
    const workerFile = feedWorkerFile ?? path.join(import.meta.dirname, "feed-worker.mjs");
    return { gives: { imports: { slots, workerFile, limits: FEED_LIMITS } }, stop: () => slots.stop() };
  },
};
