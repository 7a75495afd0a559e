import type { ClickHouseClient } from "@clickhouse/client";
import type { Turns } from "../../kernel/turns";
import type { ActorCtx } from "../identity-ctx";
import type { FindKeys } from "./request-count";

export interface RequestCountCtx extends Pick<ActorCtx, "actor" | "clock" | "db"> {
  clickhouse: ClickHouseClient;
  /** Finds the keys that requests are counted for: one function per kind of key, from the account system and the products. */
  findKeys: readonly FindKeys[];
  /** Limits how many histories of requests a tenant reads at once. */
  usageTurns: Pick<Turns, "run">;
}
