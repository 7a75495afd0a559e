import type { SqlCtx } from "../../identity/identity-ctx";
import type { FeedLimits } from "./feed-limits";
import type { ImportSlots } from "./import-slots";

export interface ProductCtx extends SqlCtx {
  imports: {
    slots: ImportSlots;
    /** The compiled products/feed-worker.ts. */
    workerFile: string;
    limits: FeedLimits;
  };
  /** The maximum number of products and creatives across all tenants. */
  itemsMax: number;
}
