import type { Pacing } from "../budgets/start-pacing";
import type { ChannelKeyRef } from "./channel-keys";
import type { ServingChannel } from "./serving";
import type { Snapshot } from "./serving-state";

/** What serving knows of channels, keys, advertisers, campaigns, creatives and products: in memory, under 2 s old. */
export interface Catalog extends Pick<Pacing, "noteServed"> {
  /** What `decideOffers` reads; use it within one turn of the event loop. */
  snapshot(): Snapshot;
  /** By the hex SHA-256 of the whole key; unknown and revoked keys and keys of archived channels are undefined. */
  channelByKeyHash(hash: string): { channel: ServingChannel; key: ChannelKeyRef } | undefined;
  channelById(id: string): ServingChannel | undefined;
  /** Every origin that some active browser key allows. */
  browserOrigins(): ReadonlySet<string>;
  /** Creatives and products. */
  readonly size: number;
  /** False while the last look at Postgres failed: what is known still serves. */
  readonly isCurrent: boolean;
  stop(): Promise<void>;
}
