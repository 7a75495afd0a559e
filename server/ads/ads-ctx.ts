import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { ActorCtx } from "../identity/identity-ctx";
import type { ReservePrices } from "./auction/second-price";
import type { CapCounts } from "./caps/cap-counts";
import type { ConsentReader } from "./consent/consent";
import type { Catalog } from "./ranking/catalog";
import type { SignalMemory } from "./signals/signal-memory";

/** What the verbs behind `/v1/ads` and the dashboard get. */
export interface AdsCtx extends ActorCtx {
  /** The same Postgres as `db`, for SQL that Prisma cannot express. */
  sql: Pool;
  clickhouse: ClickHouseClient;
  /** The installation's billing currency (ISO 4217). */
  currency: string;
  /** Turns user ids into the pseudonyms that serving knows them by. */
  userKey: Buffer;
  signals: Pick<SignalMemory, "erase" | "recall">;
  caps: Pick<CapCounts, "erase" | "look">;
  consent: ConsentReader;
  /** What serving of this process knows. */
  catalog: Pick<Catalog, "snapshot" | "channelById">;
  reserve: ReservePrices;
  /** Signs the tokens of conversion pixels. */
  pixelKey: Buffer;
  publicUrl: string;
}

/** What does not change from call to call. */
export type AdsParts = Omit<AdsCtx, "actor" | "request">;
