import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { ActorCtx } from "../identity/identity-ctx";
import type { Turns } from "../kernel/turns";
import type { DomainSources } from "./advertisers/domain-sources";
import type { ReservePrices } from "./auction/second-price";
import type { CapCounts } from "./caps/cap-counts";
import type { Catalog } from "./catalog/catalog";
import type { ConsentReader } from "./consent/consent";
import type { ChannelRefs } from "./network-channels/channel-refs";
import type { FeedLimits } from "./products/feed-limits";
import type { ImportSlots } from "./products/import-slots";
import type { SignalMemory } from "./signals/signal-memory";
import type { NearestItems } from "./vectors/nearest-items";

/** The context of the operations under `/v1/ads`, which the dashboard calls too. */
export interface AdsCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** The key that turns user ids into the pseudonyms that serving uses. */
  userKey: Buffer;
  signals: Pick<SignalMemory, "erase" | "recall">;
  caps: Pick<CapCounts, "erase" | "look">;
  consent: ConsentReader;
  /** This process's in-memory catalog. */
  catalog: Pick<Catalog, "snapshot" | "channelById">;
  /** The semantic engine; undefined if none is configured. */
  nearest?: Pick<NearestItems, "of"> | undefined;
  reserve: ReservePrices;
  /** How many days ClickHouse keeps single events; their sums are kept for longer. */
  retentionRawDays: number;
  /** The publisher's part of a charge, 0 to 1. */
  publisherShare: number;
  /** Limits concurrent reports per tenant: one report can read hundreds of days. */
  reportTurns: Pick<Turns, "run">;
  /** Signs the tokens of conversion pixels. */
  pixelKey: Buffer;
  /** Seals passwords that tenants store for servers of their own. */
  encryptionKey: Buffer;
  publicUrl: string;
  imports: {
    slots: ImportSlots;
    /** The compiled products/feed-worker.ts. */
    workerFile: string;
    limits: FeedLimits;
  };
  /** The maximum number of products and creatives across all tenants. */
  itemsMax: number;
  /** Treats every advertiser as approved; true when PUBLIC_URL is a loopback address. */
  automaticReview: boolean;
  domainSources: DomainSources;
  /** Creates and resolves the references by which buyers identify other publishers' channels. */
  channelRefs: ChannelRefs;
}

/** The part of the context that is the same for every call. */
export type AdsParts = Omit<AdsCtx, "actor" | "request">;
