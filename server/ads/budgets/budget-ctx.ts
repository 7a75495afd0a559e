import type { ClickHouseClient } from "@clickhouse/client";
import type { SqlCtx } from "../../identity/identity-ctx";

export interface BudgetCtx extends SqlCtx {
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
}
