import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { type Clock, systemClock } from "../kernel/clock";
import { connectClickHouse } from "./clickhouse/connect-clickhouse";
import { migrateClickHouse } from "./clickhouse/migrate-clickhouse";
import { startClickHouse } from "./clickhouse/start-clickhouse";
import type { Counters } from "./counters/counters";
import { MemoryCounters } from "./counters/memory-counters";
import { connectRedisCounters } from "./counters/redis-counters";
import { type DataDir, openDataDir } from "./data-dir";
import { migrateJobs } from "./jobs/migrate-jobs";
import { checkPostgres } from "./postgres/check-postgres";
import { claimSingleProcess } from "./postgres/claim-single-process";
import { connectPostgres, type PostgresConnection } from "./postgres/connect-postgres";
import { deployMigrations } from "./postgres/migrate";
import { ensurePartitions } from "./postgres/partitions";
import { startPostgres } from "./postgres/start-postgres";
import { openWal, type WalVolumes } from "./wal/open-volumes";

/** What starting needs to know; a part of the configuration. */
export interface EngineSettings {
  rootDir: string;
  dataDir: string;
  secret: string | undefined;
  databaseUrl: string | undefined;
  clickhouseUrl: string | undefined;
  redisUrl: string | undefined;
  retentionRawDays: number;
  retentionRollupDays: number;
}

export interface Engines {
  /** Root of every derived key. */
  secret: string;
  sql: Pool;
  db: PostgresConnection["db"];
  clickhouse: ClickHouseClient;
  counters: Counters;
  wal: WalVolumes;
  /** Postgres is the embedded one. */
  embedded: boolean;
  /** Stops in the opposite order of starting. */
  stop(): Promise<void>;
}

export interface StartEngines {
  log: Logger;
  /** Hears one short line a step. */
  progress: (step: string) => void;
  clock?: Clock;
  /** The claim to be the only process was lost while cut off from the database. */
  onClaimLost: () => void;
}

/** Starts or connects to every engine and brings their schemas up to date. Throws one sentence that says what to do. */
export async function startEngines(settings: EngineSettings, parts: StartEngines): Promise<Engines> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = () => stopAll(stops);
  try {
    const dataDir = openDataDir(settings.dataDir);
    stops.push(() => dataDir.close());
    const [postgres, clickhouse] = await both(
      openPostgres(settings, parts, stops),
      openClickHouse(settings, parts, stops),
    );
    const counters = await openCounters(settings, parts, { stops, databaseUrl: postgres.url });
    parts.progress("opening the write-ahead file");
    const wal = await openWal(path.join(dataDir.dir, "wal"), {
      onDamage: (damage) => parts.log.error({ damage }, "the write-ahead file is damaged"),
    });
    stops.push(() => wal.close());
    const { sql, db } = postgres.connection;
    const embedded = settings.databaseUrl === undefined;
    return { secret: secretOf(settings, dataDir), sql, db, clickhouse, counters, wal, embedded, stop };
  } catch (failure) {
    await stop().catch((err: unknown) => parts.log.error({ err }, "an engine did not stop"));
    throw failure;
  }
}

/** Stops everything, in the opposite order of starting, and fails with the first failure only after that. */
async function stopAll(stops: Stops): Promise<void> {
  const failures: unknown[] = [];
  for (const close of stops.splice(0).reverse()) {
    try {
      await close();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Waits for both even when one fails: what is still starting could not be stopped. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

const secretOf = ({ secret }: EngineSettings, dataDir: DataDir): string => secret ?? dataDir.secret;

type Stops = (() => Promise<void> | void)[];

async function openPostgres(
  settings: EngineSettings,
  { log, progress, clock = systemClock }: StartEngines,
  stops: Stops,
) {
  let url = settings.databaseUrl;
  if (url === undefined) {
    progress("starting PostgreSQL");
    const server = await startPostgres({ ...settings, log: (line) => log.warn(line) });
    stops.push(() => server.stop());
    url = server.url;
  }
  const connection = connectPostgres(url);
  stops.push(() => connection.close());
  await checkPostgres(connection.sql);
  progress("migrating PostgreSQL");
  await deployMigrations(url, settings.rootDir);
  await migrateJobs(connection.sql);
  await ensurePartitions(connection.sql, clock.now());
  return { connection, url };
}

async function openClickHouse(settings: EngineSettings, { log, progress }: StartEngines, stops: Stops) {
  const { rootDir, clickhouseUrl, retentionRawDays: rawDays, retentionRollupDays: rollupDays } = settings;
  let client: ClickHouseClient;
  if (clickhouseUrl === undefined) {
    progress("starting ClickHouse");
    const server = await startClickHouse({ rootDir, dir: path.join(settings.dataDir, "clickhouse"), log });
    stops.push(() => server.stop());
    client = server.client;
  } else {
    const connection = await connectClickHouse(clickhouseUrl);
    stops.push(() => connection.close());
    client = connection.client;
  }
  await migrateClickHouse(client, { dir: path.join(rootDir, "clickhouse"), retention: { rawDays, rollupDays } });
  return client;
}

async function openCounters(
  { redisUrl }: EngineSettings,
  { log, clock = systemClock, onClaimLost }: StartEngines,
  { stops, databaseUrl }: { stops: Stops; databaseUrl: string },
): Promise<Counters> {
  if (redisUrl !== undefined) {
    const counters = await connectRedisCounters(redisUrl, { onError: (cause) => log.warn({ err: cause }, "Redis") });
    stops.push(() => counters.close());
    return counters;
  }
  const claim = await claimSingleProcess(databaseUrl, { onLost: onClaimLost });
  if (!claim) {
    throw new Error("Another svc process uses this database: set REDIS_URL for all of them, or stop the other one.");
  }
  stops.push(() => claim.release());
  return new MemoryCounters(clock, (cause) => log.error({ err: cause }, "a listener failed"));
}
