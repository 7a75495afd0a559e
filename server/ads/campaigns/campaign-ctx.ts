import type { ActorCtx } from "../../identity/identity-ctx";
import type { ReportCtx } from "../reports/report-ctx";

export interface CampaignCtx extends ActorCtx, ReportCtx {
  /** The maximum number of products and creatives across all tenants. */
  itemsMax: number;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
}
