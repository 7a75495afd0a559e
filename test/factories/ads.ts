import { randomBytes } from "node:crypto";
import { createClient } from "@clickhouse/client";
import { pino } from "pino";
import { inject } from "vitest";
import type { z } from "zod";
import { createAdvertiser } from "../../server/ads/advertisers/create-advertiser";
import type { DomainSources } from "../../server/ads/advertisers/domain-sources";
import { createCampaign } from "../../server/ads/campaigns/create-campaign";
import { CapCounts } from "../../server/ads/caps/cap-counts";
import { createChannel } from "../../server/ads/channels/create-channel";
import { ConsentReader } from "../../server/ads/consent/consent-reader";
import { createCreative } from "../../server/ads/creatives/create-creative";
import { ServingState } from "../../server/ads/matching/serving-state";
import { ChannelRefs } from "../../server/ads/network-channels/channel-refs";
import { FEED_LIMITS } from "../../server/ads/products/feed-limits";
import { importProducts } from "../../server/ads/products/import-products";
import { ImportSlots } from "../../server/ads/products/import-slots";
import { createReportTurns } from "../../server/ads/reports/get-report";
import { SignalMemory } from "../../server/ads/signals/signal-memory";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { newId } from "../../server/kernel/ids";
import { type Actor, type Mode, SCOPES } from "../../server/operation/actor";
import type { AdsCtx } from "./ads-ctx";
import { testDatabase } from "./postgres";

type Fields = Record<string, unknown>;

/** Runs an operation behind its schema, as every surface does: `await call(ctx, createChannel, { name })`. */
export const call = <R>(
  ctx: AdsCtx,
  operation: { input: z.ZodType; run: (ctx: AdsCtx, input: never) => Promise<R> },
  input: Fields,
): Promise<R> => operation.run(ctx, operation.input.parse(input) as never);

/** The ServiceError that a call fails with; fails the test if there is none. */
export async function refusal(called: Promise<unknown>): Promise<ServiceError> {
  const ending = await called.then(
    (result) => new Error(`expected an error, got ${JSON.stringify(result)}`),
    (cause: unknown) => cause,
  );
  if (ending instanceof ServiceError) return ending;
  throw ending;
}

/** Where a schema reports issues, in the form of `param`, each once; empty if there are none. */
export function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const issues = schema.safeParse(input).error?.issues ?? [];
  return [...new Set(issues.map((one) => (one.code === "unrecognized_keys" ? one.keys.join() : one.path.join("."))))];
}

const NO_SOURCES: DomainSources = {
  records: async () => [],
  file: async () => "",
};

/** A migrated database, a stopped clock, and tenants with contexts to call operations in. */
export async function adsTest({ itemsMax = 1_000_000, automaticReview = true, domainSources = NO_SOURCES } = {}) {
  const database = await testDatabase();
  const clickhouse = createClient({ url: inject("clickhouseUrl") });
  const clock = new ManualClock(new Date("2026-11-20T08:00:00Z"));
  const userKey = randomBytes(32);
  const signals = new SignalMemory({ sql: database.sql, counters: new MemoryCounters(clock), clock });
  const log = pino({ level: "silent" });
  const caps = new CapCounts({ sql: database.sql, counters: new MemoryCounters(clock), clock, log });
  const consent = new ConsentReader({ clock });
  const state = new ServingState();
  const catalog = { snapshot: () => state, channelById: (id: string) => state.channel(id) };
  const prices = { reserve: { cpcMicros: 0, cpmMicros: 0 }, publisherShare: 0.7 };
  const slots = new ImportSlots(database.sql, FEED_LIMITS);
  const shared = {
    imports: { slots, workerFile: inject("feedWorkerFile"), limits: FEED_LIMITS },
    ...database,
    clock,
    clickhouse,
    cursorKey: randomBytes(32),
    currency: "USD",
    userKey,
    signals,
    retentionRawDays: 400,
    reportTurns: createReportTurns(),
    domainSources,
    automaticReview,
    itemsMax,
    channelRefs: new ChannelRefs(randomBytes(32)),
    caps,
    consent,
    catalog,
    ...prices,
    pixelKey: randomBytes(32),
    publicUrl: "http://localhost:3000",
    encryptionKey: randomBytes(32),
    request: { requestId: "req_test", address: "127.0.0.1", userAgent: "test" },
  };
  const tenant = async () => {
    const id = newId("ten", clock.now().getTime());
    await database.db.tenant.create({ data: { id, name: "Tenant", createdAt: clock.now() } });
    const as = (actor: Omit<Extract<Actor, { kind: "key" }>, "tenantId" | "scopes"> | PersonFields): AdsCtx => ({
      ...shared,
      actor: { ...actor, tenantId: id, scopes: new Set(SCOPES) },
    });
    const credit = async (amountNanos: bigint) => {
      const key = { tenantId: id };
      const credited = {
        create: { ...key, creditedNanos: amountNanos },
        update: { creditedNanos: { increment: amountNanos } },
      };
      await database.db.tenantBalance.upsert({ where: key, ...credited });
    };
    return {
      id,
      credit,
      key: (mode: Mode) => as({ kind: "key", keyId: "key_test", projectId: "prj_test", mode }),
      person: as({ kind: "person", userId: "usr_test", sessionId: "ses_test", role: "owner" }),
    };
  };
  const close = async () => {
    await clickhouse.close();
    await database.close();
  };
  return { ...shared, tenant, close };
}

type PersonFields = Omit<Extract<Actor, { kind: "person" }>, "tenantId" | "scopes">;

/** Factories with defaults; each of them calls the operation itself. */
export const makeChannel = (ctx: AdsCtx, fields: Fields = {}) =>
  call(ctx, createChannel, { name: "Shop front", ...fields });

export const makeAdvertiser = (ctx: AdsCtx, fields: Fields = {}) =>
  call(ctx, createAdvertiser, { name: "Acme", ...fields });

export async function makeCampaign(ctx: AdsCtx, fields: Fields = {}) {
  const { mode } = fields;
  const advertiser_id = fields.advertiser_id ?? (await makeAdvertiser(ctx, { mode })).id;
  const required = { advertiser_id, name: "Winter", model: "cpc", bid_micros: 500_000, confirm_high_bid: true };
  return call(ctx, createCampaign, { ...required, ...fields });
}

export const makeCreative = (ctx: AdsCtx, campaignId: string, fields: Fields = {}) =>
  call(ctx, createCreative, {
    id: campaignId,
    title: "Warm boots",
    content: "Boots that stay dry",
    cta: "See them",
    landing_url: "https://shop.example/boots",
    ...fields,
  });

export type FeedContent = string | Uint8Array | ReadableStream<Uint8Array>;

export const streamOf = (content: FeedContent): ReadableStream<Uint8Array> =>
  content instanceof ReadableStream
    ? content
    : (new Blob([content as BlobPart]).stream() as ReadableStream<Uint8Array>);

/** Uploads a feed as `uploadFeed(ctx, content, { id: campaignId })`; NDJSON by default. */
export const uploadFeed = (
  ctx: AdsCtx,
  content: FeedContent,
  { signal, ...fields }: Fields & { signal?: AbortSignal },
) => {
  const input = { content_type: "application/x-ndjson", ...fields };
  return importProducts.run(ctx, importProducts.input.parse(input), { body: streamOf(content), signal });
};

/** The minimum that a feed's product needs, with a title that contains its id. */
export const feedBoot = (id: string, fields: Fields = {}) => ({
  id,
  title: `Boot ${id}`,
  link: `https://shop.example/${id}`,
  ...fields,
});

export const ndjson = (...products: object[]): string =>
  products.map((product) => `${JSON.stringify(product)}\n`).join("");
