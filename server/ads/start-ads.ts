import type { Logger } from "pino";
import type { StartedAlarms } from "../engines/start-alarms";
import type { Engines } from "../engines/start-engines";
import type { NamedContext } from "../identity/part";
import type { Clock } from "../kernel/clock";
import { deriveKey } from "../kernel/secrets";
import type { StopStack } from "../kernel/stop-stack";
import { type AdsConfig, type AdsParts, type AdsReplacements, adsParts } from "./ads-parts";
import type { ServingParts } from "./offers/offers-call-ctx";

export interface StartAds extends AdsReplacements {
  engines: Engines;
  clock: Clock;
  alarms: Pick<StartedAlarms, "add" | "wake" | "announce">;
  log: Logger;
  stops: StopStack;
}

/** Starts the offers product with the background work of this process's roles. */
export async function startAds(config: AdsConfig, parts: StartAds) {
  const { db, sql, clickhouse, counters, secret, wal, leftWals } = parts.engines;
  const started = await adsParts.start(
    { ...parts, config, secret, wal, leftWals },
    {
      clock: parts.clock,
      demoTenantId: parts.demoTenantId,
      db,
      sql,
      clickhouse,
      counters,
      publicUrl: config.publicUrl,
      currency: config.currency,
      publisherShare: config.publisherShare,
      reserve: config.reserve,
      itemsMax: config.itemsMax,
      retentionRawDays: config.retentionRawDays,
      automaticReview: config.isLoopback,
      userKey: deriveKey(secret, "user"),
      pixelKey: deriveKey(secret, "pixel"),
      encryptionKey: deriveKey(secret, "encryption"),
      cursorKey: deriveKey(secret, "cursor"),
    },
    parts.stops,
  );
  const ctx = started.ctx satisfies NamedContext<typeof adsParts>;
  return { ...started, ctx, serving: servingOf(ctx) };
}

/** What the offers API copies for each request: no more than its operations use. */
const servingOf = (ctx: AdsParts): ServingParts => ({
  clock: ctx.clock,
  counters: ctx.counters,
  caps: ctx.caps,
  catalog: ctx.catalog,
  decisions: ctx.decisions,
  nearest: ctx.nearest,
  records: ctx.records,
  claims: ctx.claims,
  plausible: ctx.plausible,
  facts: ctx.facts,
  signals: ctx.signals,
  consent: ctx.consent,
  publicUrl: ctx.publicUrl,
  publisherShare: ctx.publisherShare,
  reserve: ctx.reserve,
  sql: ctx.sql,
  currency: ctx.currency,
  pixelKey: ctx.pixelKey,
  userKey: ctx.userKey,
  demoTenantId: ctx.demoTenantId,
  ignoredIds: ctx.ignoredIds,
});
