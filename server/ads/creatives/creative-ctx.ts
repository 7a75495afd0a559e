import type { ClickHouseClient } from "@clickhouse/client";
import type { ActorCtx } from "../../identity/identity-ctx";
import type { Turns } from "../../kernel/turns";

export interface CreativeCtx extends ActorCtx {
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** How many days ClickHouse keeps single events; their sums are kept for longer. */
  retentionRawDays: number;
  /** Limits concurrent reports per tenant: one report can read hundreds of days. */
  reportTurns: Pick<Turns, "run">;
  /** The maximum number of products and creatives across all tenants. */
  itemsMax: number;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
}
