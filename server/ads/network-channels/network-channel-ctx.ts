import type { ClickHouseClient } from "@clickhouse/client";
import type { ActorCtx } from "../../identity/identity-ctx";
import type { ChannelRefs } from "./channel-refs";

export interface NetworkChannelCtx extends ActorCtx {
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** Creates and resolves the references by which buyers identify other publishers' channels. */
  channelRefs: ChannelRefs;
}
