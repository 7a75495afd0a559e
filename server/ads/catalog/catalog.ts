import type { Pacing } from "../budgets/start-pacing";
import type { Snapshot } from "../matching/snapshot";
import type { ServingChannel } from "../serving/serving";
import type { ChannelKeyRef } from "./channel-keys";

/**
 * The in-memory data for serving: channels, keys, advertisers, campaigns, creatives and products.
 */
export interface Catalog extends Pick<Pacing, "recordServed"> {
  /** The input of `decideOffers`; valid only within one turn of the event loop. */
  snapshot(): Snapshot;
  /**
   * Looks up a key by the hex SHA-256 of the whole key. Returns undefined for unknown and revoked keys and for keys of
   * archived channels.
   */
  channelByKeyHash(hash: string): { channel: ServingChannel; key: ChannelKeyRef } | undefined;
  /**
   * Resolves when everything that was committed before this call is loaded; concurrent callers share one query. Rejects
   * if the query fails.
   */
  refresh(): Promise<unknown>;
  channelById(id: string): ServingChannel | undefined;
  /** Every origin that is allowed by an active browser key. */
  browserOrigins(): ReadonlySet<string>;
  /** The number of creatives and products. */
  readonly size: number;
  /** Their approximate memory use. */
  readonly bytes: number;
  /** The number of creatives and products that do not fit into this process's memory limit. */
  readonly leftOut: number;
  stop(): Promise<void>;
}
