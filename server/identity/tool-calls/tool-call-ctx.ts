import type { ClickHouseClient } from "@clickhouse/client";
import type { Turns } from "../../kernel/turns";
import type { ActorCtx } from "../identity-ctx";

export interface ToolCallCtx extends Pick<ActorCtx, "actor" | "db"> {
  clickhouse: ClickHouseClient;
  /** Limits how many histories a tenant reads at once. */
  usageTurns: Pick<Turns, "run">;
}
