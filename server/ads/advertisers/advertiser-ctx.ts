import type { ClickHouseClient } from "@clickhouse/client";
import type { ActorCtx } from "../../identity/identity-ctx";
import type { ChannelRefs } from "../network-channels/channel-refs";
import type { DomainSources } from "./domain-sources";

export interface AdvertiserCtx extends ActorCtx {
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
  domainSources: DomainSources;
  /** Creates and resolves the references by which buyers identify other publishers' channels. */
  channelRefs: ChannelRefs;
}
