import { randomBytes } from "node:crypto";
import { createClient } from "@clickhouse/client";
import { pino } from "pino";
import { inject } from "vitest";
import type { z } from "zod";
import type { AdsCtx } from "../../server/ads/ads-ctx";
import { CreateAdvertiser, createAdvertiser } from "../../server/ads/advertisers/create-advertiser";
import { CreateCampaign, createCampaign } from "../../server/ads/campaigns/create-campaign";
import { CapCounts } from "../../server/ads/caps/cap-counts";
import { CreateChannel, createChannel } from "../../server/ads/channels/create-channel";
import { ConsentReader } from "../../server/ads/consent/consent";
import { CreateCreative, createCreative } from "../../server/ads/creatives/create-creative";
import { ImportProducts, importProducts } from "../../server/ads/products/import-products";
import { ServingState } from "../../server/ads/ranking/serving-state";
import { SignalMemory } from "../../server/ads/signals/signal-memory";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { type Actor, type Mode, SCOPES } from "../../server/identity/actors/actor";
import { ManualClock } from "../../server/kernel/clock";
import { ServiceError } from "../../server/kernel/errors";
import { newId } from "../../server/kernel/ids";
import { testDatabase } from "./postgres";

type Fields = Record<string, unknown>;

/** A verb behind its schema, as every surface calls it: `await call(ctx, [CreateChannel, createChannel], { name })`. */
export const call = <I extends z.ZodType, R>(
  ctx: AdsCtx,
  [schema, verb]: readonly [I, (ctx: AdsCtx, input: z.output<I>) => Promise<R>],
  input: Fields,
): Promise<R> => verb(ctx, schema.parse(input));

/** The ServiceError that a call ends in; fails the test when it ends in anything else. */
export async function refusal(called: Promise<unknown>): Promise<ServiceError> {
  const ending = await called.then(
    (result) => new Error(`expected a refusal, got ${JSON.stringify(result)}`),
    (cause: unknown) => cause,
  );
  if (ending instanceof ServiceError) return ending;
  throw ending;
}

/** Where a schema finds fault, as `param` would name it, each once; empty when it finds none. */
export function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const issues = schema.safeParse(input).error?.issues ?? [];
  return [...new Set(issues.map((one) => (one.code === "unrecognized_keys" ? one.keys.join() : one.path.join("."))))];
}

/** A migrated database, a clock that stands still, and tenants with contexts to call verbs in. */
export async function adsTest() {
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
  const reserve = { cpcMicros: 0, cpmMicros: 0 };
  const shared = {
    ...{ ...database, clock, clickhouse, cursorKey: randomBytes(32), currency: "USD", userKey, signals },
    ...{ caps, consent, catalog, reserve, pixelKey: randomBytes(32), publicUrl: "http://localhost:3000" },
    request: { requestId: "req_test", address: "127.0.0.1", userAgent: "test" },
  };
  const tenant = async () => {
    const id = newId("ten", clock.now().getTime());
    await database.db.tenant.create({ data: { id, name: "Tenant", createdAt: clock.now() } });
    const as = (actor: Omit<Extract<Actor, { kind: "key" }>, "tenantId" | "scopes"> | PersonFields): AdsCtx => ({
      ...shared,
      actor: { ...actor, tenantId: id, scopes: new Set(SCOPES) },
    });
    return {
      id,
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

/** Makers with defaults, each through the verb itself. */
export const makeChannel = (ctx: AdsCtx, fields: Fields = {}) =>
  call(ctx, [CreateChannel, createChannel], { name: "Shop front", ...fields });

export const makeAdvertiser = (ctx: AdsCtx, fields: Fields = {}) =>
  call(ctx, [CreateAdvertiser, createAdvertiser], { name: "Acme", ...fields });

export async function makeCampaign(ctx: AdsCtx, fields: Fields = {}) {
  const advertiser_id = fields.advertiser_id ?? (await makeAdvertiser(ctx)).id;
  const required = { advertiser_id, name: "Winter", model: "cpc", bid_micros: 500_000 };
  return call(ctx, [CreateCampaign, createCampaign], { ...required, ...fields });
}

export const makeCreative = (ctx: AdsCtx, campaignId: string, fields: Fields = {}) =>
  call(ctx, [CreateCreative, createCreative], {
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

/** Uploads a feed as `uploadFeed(ctx, content, { id: campaignId })`; NDJSON where no content_type is given. */
export const uploadFeed = (ctx: AdsCtx, content: FeedContent, fields: Fields) => {
  const input = { content_type: "application/x-ndjson", ...fields };
  return importProducts(ctx, { ...ImportProducts.parse(input), body: streamOf(content) });
};

/** The least that a feed's product needs, under a title that tells its id. */
export const feedBoot = (id: string, fields: Fields = {}) => ({
  id,
  title: `Boot ${id}`,
  link: `https://shop.example/${id}`,
  ...fields,
});

export const ndjson = (...products: object[]): string =>
  products.map((product) => `${JSON.stringify(product)}\n`).join("");
