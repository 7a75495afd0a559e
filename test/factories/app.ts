import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { type Logger, pino } from "pino";
import { inject } from "vitest";
import type { DomainSources } from "../../server/ads/advertisers/domain-sources";
import { createChannelKey } from "../../server/ads/channels/create-channel-key";
import type { AtStep } from "../../server/ads/events/steps";
import type { FetchLimits } from "../../server/ads/feed-schedules/fetch-limits";
import { type App, createApp } from "../../server/app";
import { type Config, readConfig } from "../../server/config";
import type { Counters } from "../../server/engines/counters/counters";
import { MemoryCounters } from "../../server/engines/counters/memory-counters";
import { DiskSpace, type SpaceOf } from "../../server/engines/disk-space/disk-space";
import type { Network } from "../../server/engines/guarded-fetch";
import { migrateJobs } from "../../server/engines/jobs/migrate-jobs";
import { openBlobStore } from "../../server/engines/objects/open-blob-store";
import type { CampaignStatus } from "../../server/engines/postgres/generated/client";
import type { Engines } from "../../server/engines/start-engines";
import type { StartedRuntime } from "../../server/engines/start-runtime";
import { Wal } from "../../server/engines/wal/wal";
import { type Clock, Jumps } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { type Mode, scopesOfRole } from "../../server/operation/actor";
import type { Caller } from "../../server/operation/authorize";
import type { PipelineParts } from "../../server/operation/pipeline";
import { createPlatformPipeline } from "../../server/operation/platform-pipeline";
import type { McpParts } from "../../server/surfaces/mcp/exchange";
import { call, makeCampaign, makeChannel, makeCreative } from "./ads";
import type { AdsCtx } from "./ads-ctx";
import { testClickHouse } from "./clickhouse";
import { testDatabase } from "./postgres";
import { release } from "./release";

/** In place of an app that was stopped. */
const STOPPED = { stop: async () => undefined } as unknown as App;

export const ORIGIN = "https://publisher.example";

/** A clock that a test can advance. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

/** The system's time plus what a test added. */
export class ShiftedClock implements MovableClock {
  #shiftMs = 0;
  readonly #jumps = new Jumps();
  readonly onJump = this.#jumps.on;

  now(): Date {
    return new Date(Date.now() + this.#shiftMs);
  }

  advance(ms: number): void {
    this.#shiftMs += ms;
    this.#jumps.tell();
  }
}

export interface TestAppOptions {
  env?: NodeJS.ProcessEnv | Record<string, string>;
  clock?: MovableClock;
  counters?: Counters;
  atStep?: AtStep;
  /** Applies to a tenant that `makeTenant` creates later. */
  demoTenantId?: string;
  /** No log output by default. */
  log?: Logger;
  domainSources?: DomainSources;
  /** By default every host name of a feed has no address. */
  feedNetwork?: Network;
  feedFetchLimits?: FetchLimits;
  /** The same for webhooks. */
  webhookNetwork?: Network;
  /** The same for chat upstreams of tenants. */
  chatNetwork?: Network;
  /** What runs pods; by default nothing does, except with RUNTIME in `env`. */
  runtime?: StartedRuntime;
  /** "manual": background work is done in `settle` only. */
  rounds?: "manual";
  /** Replaces what runs the requests of agents. */
  agentHandlers?: McpParts["replaceHandlers"];
  /** What is free on the disk of the data directory; by default a large disk without files. */
  spaceOf?: SpaceOf;
}

/** Above every bid, so that an offer costs what its campaign bids; tests of prices set their own reserves. */
const RESERVES = { SVC_RESERVE_CPC_MICROS: String(1e12), SVC_RESERVE_CPM_MICROS: String(1e12) };

const EMPTY_DISK = { bsize: 2 ** 20, blocks: 2 ** 20, bfree: 2 ** 20, bavail: 2 ** 20 };

const NO_NETWORK: Network = { resolve: async () => [], connect: () => new PassThrough() };

/** The whole of svc except its HTTP server, on real engines: `app.offers.fetch(new Request(…), { address })`. */
export async function testApp({
  env = {},
  clock = new ShiftedClock(),
  counters,
  atStep,
  demoTenantId,
  log = pino({ level: "silent" }),
  domainSources = { records: async () => [], file: async () => "" },
  feedNetwork = NO_NETWORK,
  feedFetchLimits,
  webhookNetwork = NO_NETWORK,
  chatNetwork = NO_NETWORK,
  runtime,
  rounds,
  agentHandlers,
  spaceOf = async () => EMPTY_DISK,
}: TestAppOptions = {}) {
  const [database, clickhouse] = await Promise.all([testDatabase(), testClickHouse()]);
  await migrateJobs(database.sql);
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-app-"));
  const wal = await Wal.open(path.join(dir, "wal", "0"));
  const space = await DiskSpace.open({ dir, log, spaceOf });
  const engines: Engines = {
    secret: randomUUID(),
    sql: database.sql,
    db: database.db,
    clickhouse: clickhouse.client,
    wal,
    embedded: true,
    counters: counters ?? new MemoryCounters(clock),
    blobs: await openBlobStore({ dataDir: dir, space }),
    space,
    stop: async () => undefined,
  };
  const config: Config = readConfig({ NODE_ENV: "test", SVC_DATA_DIR: dir, RUNTIME: "off", ...RESERVES, ...env });
  const [feedWorkerFile, scanWorkerFile] = [inject("feedWorkerFile"), inject("scanWorkerFile")];
  const parts = {
    engines,
    clock,
    log,
    demoTenantId,
    domainSources,
    feedFetchLimits,
    feedWorkerFile,
    scanWorkerFile,
    feedNetwork,
    webhookNetwork,
    chatNetwork,
    runtime,
    rounds,
    replaceAgentHandlers: agentHandlers,
  };
  const start = () => createApp(config, { ...parts, ...(atStep ? { atStep } : {}) });
  let app = await start();
  const stop = async () => {
    await app.stop();
    await space.stop();
    await wal.close();
    await clickhouse.close();
    await database.close();
    await rm(dir, { recursive: true, force: true });
    app = STOPPED;
    release(engines, parts);
  };
  /** Stops svc and starts it again on the same engines. */
  const restart = async () => {
    await app.stop();
    app = await start();
  };
  return {
    config,
    engines,
    clock,
    stop,
    restart,
    /** Runs all background work that is due, and what follows from it. */
    settle: () => app.settle(),
    get app() {
      return app;
    },
  };
}

export type TestApp = Awaited<ReturnType<typeof testApp>>;

/** The client context of an operation that a test calls. */
export const TEST_REQUEST = { requestId: "req_test", address: "127.0.0.1", userAgent: "test" };

/** A tenant that can run operations; by default its owner is verified and its balance does not run out. */
export async function makeTenant(
  { app, clock }: TestApp,
  {
    isDemo = false,
    tenantId = newId("ten", clock.now().getTime()),
    emailVerified = true,
    creditNanos = 10n ** 15n,
  } = {},
): Promise<AdsCtx & { tenantId: string }> {
  const now = clock.now();
  await app.ads.db.tenant.create({ data: { id: tenantId, name: "Tenant", isDemo, createdAt: now } });
  const userId = newId("usr", now.getTime());
  const emailVerifiedAt = emailVerified ? now : null;
  await app.ads.db.user.create({
    data: {
      id: userId,
      email: `${userId}@example.com`,
      passwordHash: "",
      emailVerifiedAt,
      createdAt: now,
      memberships: { create: { tenantId, role: "owner", createdAt: now } },
    },
  });
  await app.ads.db.tenantBalance.create({ data: { tenantId, creditedNanos: creditNanos } });
  const actor = {
    kind: "person",
    tenantId,
    userId,
    sessionId: "s",
    role: "owner",
    scopes: scopesOfRole("owner"),
  } as const;
  return { ...app.ads, actor, request: TEST_REQUEST, tenantId };
}

/**
 * A publisher with a channel and both kinds of key, and a campaign of its own with one creative, all of them being
 * served.
 */
export async function makeShop(
  test: TestApp,
  { mode = "live", origins = [ORIGIN], campaign = {}, creative = {} }: ShopFields = {},
) {
  const ctx = await makeTenant(test);
  const channel = await makeChannel(ctx, { mode, origins });
  const keyOf = async (kind: "server" | "browser") => (await call(ctx, createChannelKey, { id: channel.id, kind })).key;
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

/** Resolves when a server key, all creatives and products of the database and all buyers are in the catalog. */
export async function served({ app }: TestApp, serverKey: string): Promise<void> {
  const { db } = app.ads;
  const serving: CampaignStatus[] = ["active", "paused"];
  const live = { archivedAt: null, campaign: { archivedAt: null, status: { in: serving } } };
  const items = (await db.creative.count({ where: live })) + (await db.product.count({ where: live }));
  await eventually(() => app.catalogSize() >= items);
  const buyers = await db.campaign.groupBy({ by: ["tenantId"], where: { reach: "network", archivedAt: null } });
  const { catalog } = app.ads;
  await eventually(() => buyers.every(({ tenantId }) => catalog.snapshot().buyer(tenantId)));
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

const POLL_MS = 25;

/**
 * Polls until `holds` returns true; fails after `withinMs` (default 30 s). A turn that takes longer than usual, because the
 * machine has other work, counts no more than two usual ones.
 */
export async function eventually(holds: () => Promise<boolean> | boolean, withinMs = 30_000): Promise<void> {
  for (let waitedMs = 0; ; ) {
    const beganAt = performance.now();
    if (await holds()) return;
    if (waitedMs > withinMs) throw new Error(`did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    waitedMs += Math.min(2 * POLL_MS, performance.now() - beganAt);
  }
}

/** The pipeline of the dashboard without limits, for calls of its procedures without HTTP. */
export function uncountedPipeline(
  { app, config }: TestApp,
  { isLoopback = config.isLoopback } = {},
): PipelineParts<Caller> {
  const { account, ads, cloud } = app;
  const identity = { ...account, isLoopback };
  const shared = { address: () => "", exempt: () => true };
  const pipeline = createPlatformPipeline({
    counters: account.counters,
    hashAddress: shared.address,
    isExempt: shared.exempt,
    limitsOf: () => ({ requestsPerMinute: 600 }),
    contexts: { identity, ads: { ...ads, counters: account.counters }, cloud },
  });
  return { ...pipeline, countCall: async () => [] };
}
