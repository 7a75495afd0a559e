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
import { openDataDir } from "./data-dir";
import { DiskSpace, type SpaceOf } from "./disk-space/disk-space";
import { migrateJobs } from "./jobs/migrate-jobs";
import type { BlobStore } from "./objects/blob-store";
import { openBlobStore } from "./objects/open-blob-store";
import type { S3Settings } from "./objects/s3-client";
import { checkPostgres } from "./postgres/check-postgres";
import { claimSingleProcess } from "./postgres/claim-single-process";
import { connectPostgres, type PostgresConnection } from "./postgres/connect-postgres";
import { deployMigrations } from "./postgres/deploy-migrations";
import { ensurePartitions } from "./postgres/partitions";
import { startPostgres } from "./postgres/start-postgres";
import { openWals } from "./wal/open-wals";
import type { Wal } from "./wal/wal";
import { defaultWaitingBytesMax } from "./wal/wal-size";

/** The part of the configuration that starting the engines needs. */
export interface EngineSettings {
  rootDir: string;
  dataDir: string;
  secret: string | undefined;
  databaseUrl: string | undefined;
  clickhouseUrl: string | undefined;
  redisUrl: string | undefined;
  retentionRawDays: number;
  retentionRollupDays: number;
  walBytesMax?: number | undefined;
  /** How much of the disk of stored objects may be in use: 0 to 1. */
  objectsDiskShare?: number | undefined;
  /** An external object store; undefined: files in the data directory. */
  s3?: S3Settings | undefined;
  /** How many processes serve requests (default 1); each needs connections. */
  webProcesses?: number | undefined;
  /** Set in a process whose engines the supervising process has started: it only connects to them. */
  member?: EngineMember | undefined;
}

/** How processes connect to engines that run already; contains passwords. */
export interface EngineAddresses {
  databaseUrl: string;
  clickhouseUrl: string;
  /** The secret from which all keys are derived. */
  secret: string;
}

/** One of several processes that share a data directory. */
export interface EngineMember extends EngineAddresses {
  /** From 0; its write-ahead file has this number. */
  slot: number;
  /** How many processes there are. */
  of: number;
}

export interface Engines {
  /** The secret from which all keys are derived. */
  secret: string;
  sql: Pool;
  db: PostgresConnection["db"];
  clickhouse: ClickHouseClient;
  counters: Counters;
  /** The bytes of stored objects. */
  blobs: BlobStore;
  wal: Wal;
  /** What is free on the disk of the data directory. */
  space: DiskSpace;
  /** Write-ahead files of processes that an earlier start had in addition; what waits in them is still delivered. */
  leftWals?: readonly Wal[];
  /** Whether Postgres is the embedded one. */
  embedded: boolean;
  /** Stops in the reverse order of starting. */
  stop(): Promise<void>;
}

export interface StartEngines {
  log: Logger;
  /** Receives one short line per step. */
  progress: (step: string) => void;
  clock?: Clock;
  /** Called when the claim to be the only process was lost while the database connection was down. */
  onClaimLost: () => void;
  /** Tests pass their own. */
  spaceOf?: SpaceOf;
}

/** Engines for other processes, which connect to them as members. */
export interface SharedEngines {
  addresses: EngineAddresses;
  stop(): Promise<void>;
}

/** The pool of a process, its job worker, SQL databases of edge functions, and what a process needs while it starts. */
const CONNECTIONS_PER_PROCESS = 38;
/** Enough for one process, a backup and operators' commands. */
const CONNECTIONS_MIN = 68;
/** Each try takes at most the 2 s that a connection may take. */
const REACH_TRIES = 10;
const CHECKPOINT_LOST =
  "the checkpoint of a write-ahead file was missing or unreadable; its delivery journals record what was already sent";

/** Starts or connects to every engine and updates the schemas. Throws an error of one sentence that says what to do. */
export async function startEngines(settings: EngineSettings, parts: StartEngines): Promise<Engines> {
  return orStop(parts, async (stops, stop) => {
    const { member } = settings;
    // The supervising process holds the data directory of its members.
    const secret = member?.secret ?? openSecretOf(settings, stops);
    const space = await openSpace(settings, parts, { stops, holds: member === undefined });
    const [postgres, clickhouse] = await openDatabases(settings, { ...parts, space }, stops);
    const counters = await openCounters(settings, parts, { stops, databaseUrl: postgres.url });
    parts.progress("opening the write-ahead file");
    const wals = await openEventWals(settings, parts.log, stops);
    const { sql, db } = postgres.connection;
    const blobs = await openBlobStore({ ...settings, space });
    stops.push(() => blobs.close());
    const embedded = settings.databaseUrl === undefined;
    return { secret, sql, db, clickhouse: clickhouse.client, counters, blobs, ...wals, space, embedded, stop };
  });
}

/**
 * Starts or connects to the databases and updates their schemas, for processes that then connect to them as members.
 * Throws an error of one sentence that says what to do.
 */
export async function startSharedEngines(settings: EngineSettings, parts: StartEngines): Promise<SharedEngines> {
  return orStop(parts, async (stops, stop) => {
    const secret = openSecretOf(settings, stops);
    const space = await openSpace(settings, parts, { stops, holds: true });
    const [postgres, clickhouse] = await openDatabases(settings, { ...parts, space }, stops);
    return { addresses: { databaseUrl: postgres.url, clickhouseUrl: clickhouse.url, secret }, stop };
  });
}

async function orStop<T>(
  { log }: StartEngines,
  start: (stops: Stops, stop: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const stops: Stops = [];
  const stop = () => stopAll(stops);
  try {
    return await start(stops, stop);
  } catch (failure) {
    await stop().catch((err: unknown) => log.error({ err }, "an engine did not stop"));
    throw failure;
  }
}

function openSecretOf({ dataDir, secret }: EngineSettings, stops: Stops): string {
  const opened = openDataDir(dataDir);
  stops.push(() => opened.close());
  return secret ?? opened.secret;
}

async function openSpace(
  { dataDir }: EngineSettings,
  { log, spaceOf }: StartEngines,
  { stops, holds }: { stops: Stops; holds: boolean },
): Promise<DiskSpace> {
  const space = await DiskSpace.open({ dir: path.resolve(dataDir), log, spaceOf, holds });
  stops.push(() => space.stop());
  return space;
}

interface DatabaseParts extends StartEngines {
  space: DiskSpace;
}

const openDatabases = (settings: EngineSettings, parts: DatabaseParts, stops: Stops) =>
  both(openPostgres(settings, parts, stops), openClickHouse(settings, parts, stops));

/** Stops everything in the reverse order of starting, and throws the first failure only after that. */
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

/** Waits for both even if one fails: an engine that is still starting could not be stopped. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

type Stops = (() => Promise<void> | void)[];

async function openEventWals({ dataDir, walBytesMax, member }: EngineSettings, log: Logger, stops: Stops) {
  const { own, left } = await openWals({
    folder: path.resolve(dataDir, "wal"),
    prefix: "",
    member,
    optionsOf: async (dir) => ({
      waitingBytesMax: Math.floor((walBytesMax ?? (await defaultWaitingBytesMax(dir))) / (member?.of ?? 1)),
      onDamage: (damage) => {
        if (damage.reason === "checkpoint") log.warn(CHECKPOINT_LOST);
        else log.error({ damage }, "the write-ahead file is damaged");
      },
    }),
  });
  for (const wal of [own, ...left]) stops.push(() => wal.close());
  return { wal: own, leftWals: left };
}

async function openPostgres(
  settings: EngineSettings,
  { log, progress, clock = systemClock }: StartEngines,
  stops: Stops,
) {
  const { webProcesses = 1, member } = settings;
  let url = member?.databaseUrl ?? settings.databaseUrl;
  if (url === undefined) {
    progress("starting PostgreSQL");
    const connections = Math.max(CONNECTIONS_MIN, webProcesses * CONNECTIONS_PER_PROCESS);
    const server = await startPostgres({
      ...settings,
      settings: { max_connections: String(connections) },
      log: (line) => log.warn(line),
    });
    stops.push(() => server.stop());
    url = server.url;
  }
  const connection = connectPostgres(url);
  stops.push(() => connection.close());
  if (member) {
    await reachPostgres(connection.sql);
    return { connection, url };
  }
  await checkPostgres(connection.sql);
  progress("migrating PostgreSQL");
  await deployMigrations(url, settings.rootDir);
  await migrateJobs(connection.sql);
  await ensurePartitions(connection.sql, clock.now());
  return { connection, url };
}

/** The server runs, so a connection that failed was late: a process that starts is busy, and so may be the machine. */
async function reachPostgres(sql: Pool): Promise<void> {
  for (let attempt = 1; attempt < REACH_TRIES; attempt++) {
    const isReached = await checkPostgres(sql).then(
      () => true,
      () => false,
    );
    if (isReached) return;
  }
  await checkPostgres(sql);
}

async function openClickHouse(settings: EngineSettings, { log, progress, space }: DatabaseParts, stops: Stops) {
  const { rootDir, clickhouseUrl, retentionRawDays: rawDays, retentionRollupDays: rollupDays } = settings;
  let client: ClickHouseClient;
  let url = settings.member?.clickhouseUrl ?? clickhouseUrl;
  if (url === undefined) {
    progress("starting ClickHouse");
    const dir = path.join(settings.dataDir, "clickhouse");
    const server = await startClickHouse({ rootDir, dir, log, freeBytes: () => space.readFreeBytes() });
    stops.push(() => server.stop());
    ({ client, url } = server);
  } else {
    const connection = await connectClickHouse(url);
    stops.push(() => connection.close());
    client = connection.client;
  }
  if (settings.member) return { client, url };
  await migrateClickHouse(client, { dir: path.join(rootDir, "clickhouse"), retention: { rawDays, rollupDays } });
  return { client, url };
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
