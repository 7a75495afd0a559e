import type { SqlCtx } from "../../identity/identity-ctx";
import type { FeedLimits } from "../products/feed-limits";
import type { ImportSlots } from "../products/import-slots";

export interface FeedScheduleCtx extends SqlCtx {
  /** Seals passwords that tenants store for servers of their own. */
  encryptionKey: Buffer;
  publicUrl: string;
  imports: {
    slots: ImportSlots;
    /** The compiled products/feed-worker.ts. */
    workerFile: string;
    limits: FeedLimits;
  };
  /** The maximum number of products and creatives across all tenants. */
  itemsMax: number;
}
