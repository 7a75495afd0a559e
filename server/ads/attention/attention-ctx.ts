import type { ClickHouseClient } from "@clickhouse/client";
import type { SqlCtx } from "../../identity/identity-ctx";

export interface AttentionCtx extends SqlCtx {
  clickhouse: ClickHouseClient;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
}
