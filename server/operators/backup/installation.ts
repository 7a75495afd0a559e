import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { Client } from "pg";
import { connectClickHouse } from "../../engines/clickhouse/connect-clickhouse";
import { findClickHouse } from "../../engines/clickhouse/find-clickhouse";
import { startClickHouse } from "../../engines/clickhouse/start-clickhouse";
import { takeLock } from "../../engines/file-lock.mjs";
import { clusterPaths } from "../../engines/postgres/cluster-paths";
import { startPostgres } from "../../engines/postgres/start-postgres";
import type { EngineSettings } from "../../engines/start-engines";
import { deriveKey, keyedHash } from "../../kernel/secrets";

/** Identifies an installation; a part of the configuration. */
export type Installation = EngineSettings;

export interface OpenEngines {
  /** One session without statement timeouts. */
  postgres: Client;
  postgresUrl: string;
  clickhouse: ClickHouseClient;
}

type Stops = (() => Promise<void> | void)[];

/** ClickHouse sends nothing while it sorts and merges, and a table takes longer than svc's own requests may. */
const CLICKHOUSE_TIMEOUT_MS = 10 * 60_000;
/** The application name of svc's own connections; sessions of a backup use another one. */
const APPLICATION = "svc backup";

/**
 * Opens both engines, embedded or external, runs `act` and closes everything it opened. If svc is running, its engines
 * are used; otherwise no svc can start on the data directory until `act` has finished.
 */
export async function withInstallation<T>(
  installation: Installation,
  act: (engines: OpenEngines) => Promise<T>,
): Promise<T> {
  const stops: Stops = [];
  try {
    const server = lockOrServer(installation, stops);
    const postgresUrl = installation.databaseUrl ?? (await embeddedPostgres(installation, stops));
    const clickhouseUrl = installation.clickhouseUrl ?? (await embeddedClickHouse(installation, { stops, server }));
    return await connected({ postgresUrl, clickhouseUrl }, act);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Connects to running engines while `act` runs. */
export async function connected<T>(
  { postgresUrl, clickhouseUrl }: { postgresUrl: string; clickhouseUrl: string },
  act: (engines: OpenEngines) => Promise<T>,
): Promise<T> {
  const { client: clickhouse, close } = await connectClickHouse(clickhouseUrl, {
    requestTimeoutMs: CLICKHOUSE_TIMEOUT_MS,
  });
  const options = "-c TimeZone=UTC -c DateStyle=ISO -c statement_timeout=0 -c idle_in_transaction_session_timeout=0";
  const postgres = new Client({ connectionString: postgresUrl, application_name: APPLICATION, options });
  // A broken session fails its next query; it must not terminate the process.
  postgres.on("error", () => undefined);
  try {
    await postgres.connect();
    return await act({ postgres, postgresUrl, clickhouse });
  } finally {
    await postgres.end().catch(() => undefined);
    await close();
  }
}

/** The configured secret, or the one in the data directory. */
export async function secretOf({ secret, dataDir }: Installation): Promise<{ secret: string; isGenerated: boolean }> {
  if (secret !== undefined) return { secret, isGenerated: false };
  return { secret: (await readFile(path.join(dataDir, "secret"), "utf8")).trim(), isGenerated: true };
}

/** Equal for equal secrets; the secret cannot be derived from it. */
export const secretCheck = (secret: string): string => keyedHash(deriveKey(secret, "backup"), "svc");

export async function svcVersion(rootDir: string): Promise<string> {
  return (JSON.parse(await readFile(path.join(rootDir, "package.json"), "utf8")) as { version: string }).version;
}

/** The process that uses the data directory, if there is one; otherwise this process locks it until the end. */
function lockOrServer({ dataDir, databaseUrl, clickhouseUrl }: Installation, stops: Stops): number | undefined {
  const lacks =
    (databaseUrl === undefined && !existsSync(clusterPaths(dataDir).cluster)) ||
    (clickhouseUrl === undefined && !existsSync(path.join(dataDir, "clickhouse")));
  if (lacks) throw new Error(`There is nothing to back up in ${dataDir}: set SVC_DATA_DIR to svc's data directory.`);
  if (!existsSync(dataDir)) return undefined;
  const lock = takeLock(path.join(dataDir, "svc.lock"));
  if (!lock.taken) return lock.pid;
  stops.push(lock.release);
  return undefined;
}

async function embeddedPostgres(installation: Installation, stops: Stops): Promise<string> {
  const server = await startPostgres(installation);
  stops.push(() => server.stop());
  return server.url;
}

async function embeddedClickHouse(
  { rootDir, dataDir }: Installation,
  { stops, server }: { stops: Stops; server: number | undefined },
): Promise<string> {
  const dir = path.join(dataDir, "clickhouse");
  if (server === undefined) {
    const engine = await startClickHouse({ rootDir, dir });
    stops.push(() => engine.stop());
    return engine.url;
  }
  const url = await findClickHouse(dir);
  if (url !== undefined) return url;
  throw new Error(`The ClickHouse of svc (process ${server}) does not respond yet: try again in a few seconds.`);
}
