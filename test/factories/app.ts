import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { AdsCtx } from "../../server/ads/ads-ctx";
import { CreateChannelKey, createChannelKey } from "../../server/ads/channels/create-channel-key";
import type { AtStep } from "../../server/ads/events/steps";
import { type App, createApp } from "../../server/app";
import { type Config, readConfig } from "../../server/config";
import type { Counters } from "../../server/engines/counters/counters";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { migrateJobs } from "../../server/engines/jobs/migrate-jobs";
import type { Engines } from "../../server/engines/start-engines";
import { openWal } from "../../server/engines/wal/open-volumes";
import { type Mode, scopesOfRole } from "../../server/identity/actors/actor";
import type { Clock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { call, makeCampaign, makeChannel, makeCreative } from "./ads";
import { testClickHouse } from "./clickhouse";
import { testDatabase } from "./postgres";

export const ORIGIN = "https://publisher.example";

/** A clock that a test can put forward. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

/** The system's time, and what a test put it forward. */
export class ShiftedClock implements MovableClock {
  #shiftMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#shiftMs);
  }

  advance(ms: number): void {
    this.#shiftMs += ms;
  }
}

export interface TestAppOptions {
  env?: NodeJS.ProcessEnv | Record<string, string>;
  clock?: MovableClock;
  counters?: Counters;
  atStep?: AtStep;
  /** Of a tenant that `makeTenant` makes later. */
  demoTenantId?: string;
}

/** The whole of svc but its HTTP server, on real engines: `app.offers.fetch(new Request(…), { address })`. */
export async function testApp({
  env = {},
  clock = new ShiftedClock(),
  counters,
  atStep,
  demoTenantId,
}: TestAppOptions = {}) {
  const [database, clickhouse] = await Promise.all([testDatabase(), testClickHouse()]);
  await migrateJobs(database.sql);
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-app-"));
  const wal = await openWal(path.join(dir, "wal"));
  const engines: Engines = {
    ...{ secret: randomUUID(), sql: database.sql, db: database.db, clickhouse: clickhouse.client, wal, embedded: true },
    counters: counters ?? new MemoryCounters(clock),
    stop: async () => undefined,
  };
  const config: Config = readConfig({ NODE_ENV: "test", SVC_DATA_DIR: dir, ...env });
  const log = pino({ level: "silent" });
  const app = await createApp(config, { engines, clock, log, demoTenantId, ...(atStep ? { atStep } : {}) });
  const stop = async () => {
    await app.stop();
    await wal.close();
    await clickhouse.close();
    await database.close();
    await rm(dir, { recursive: true, force: true });
  };
  return { app, config, engines, clock, stop };
}

export type TestApp = Awaited<ReturnType<typeof testApp>>;

/** Where a verb that a test calls is called from. */
export const TEST_REQUEST = { requestId: "req_test", address: "127.0.0.1", userAgent: "test" };

/** A tenant that can act through verbs. */
export async function makeTenant(
  { app, clock }: TestApp,
  { isDemo = false, tenantId = newId("ten", clock.now().getTime()) } = {},
): Promise<AdsCtx & { tenantId: string }> {
  await app.ads.db.tenant.create({ data: { id: tenantId, name: "Tenant", isDemo, createdAt: clock.now() } });
  const actor = {
    kind: "person",
    tenantId,
    userId: "usr_x",
    sessionId: "s",
    role: "owner",
    scopes: scopesOfRole("owner"),
  } as const;
  return { ...app.ads, actor, request: TEST_REQUEST, tenantId };
}

/** A publisher with a channel and both kinds of key, and a campaign of its own with one creative, all of them served. */
export async function makeShop(
  test: TestApp,
  { mode = "live", origins = [ORIGIN], campaign = {}, creative = {} }: ShopFields = {},
) {
  const ctx = await makeTenant(test);
  const channel = await makeChannel(ctx, { mode, origins });
  const keyOf = async (kind: "server" | "browser") =>
    (await call(ctx, [CreateChannelKey, createChannelKey], { id: channel.id, kind })).key;
  const [serverKey, browserKey] = [await keyOf("server"), await keyOf("browser")];
  const made = await makeCampaign(ctx, { mode, ...campaign });
  const ad = await makeCreative(ctx, made.id, creative);
  await served(test, serverKey);
  return { ctx, tenantId: ctx.tenantId, channel, serverKey, browserKey, campaign: made, creative: ad };
}

export interface ShopFields {
  mode?: Mode;
  origins?: string[];
  campaign?: Record<string, unknown>;
  creative?: Record<string, unknown>;
}

/** Resolves when a server key and every creative and product that stands in the database are in the catalog. */
export async function served({ app }: TestApp, serverKey: string): Promise<void> {
  const { db } = app.ads;
  const live = { archivedAt: null, campaign: { archivedAt: null } };
  const items = (await db.creative.count({ where: live })) + (await db.product.count({ where: live }));
  await eventually(() => app.catalogSize() >= items);
  await eventually(async () => (await ask(app, { key: serverKey, body: {} })).status === 200);
}

export interface Ask {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
}

/** `POST /api/v1/offers` as a publisher's server would send it. */
export const ask = (app: App, { key, body = {}, headers = {}, address = "127.0.0.1" }: Ask): Promise<Response> =>
  app.offers.fetch(
    new Request("http://localhost:3000/api/v1/offers", {
      method: "POST",
      headers: { "content-type": "application/json", ...(key ? { "x-svc-api-key": key } : {}), ...headers },
      body: JSON.stringify(body),
    }),
    { address },
  );

/** Polls until `holds` answers true; fails after `withinMs` (default 10 s). */
export async function eventually(holds: () => Promise<boolean> | boolean, withinMs = 10_000): Promise<void> {
  for (const end = Date.now() + withinMs; ; ) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
