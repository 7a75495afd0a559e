import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { Pool } from "pg";
import type { TestProject } from "vitest/node";
import { buildThread } from "../server/build/build-thread.mjs";
import { grantsOn } from "../server/engines/clickhouse/engine-config";
import { startClickHouse } from "../server/engines/clickhouse/start-clickhouse";
import { migrateJobs } from "../server/engines/jobs/migrate-jobs";
import { deployMigrations } from "../server/engines/postgres/deploy-migrations";
import { ensurePartitions } from "../server/engines/postgres/partitions";
import { type RunningPostgres, startPostgres } from "../server/engines/postgres/start-postgres";
import { type ClickHouseTemplate, createClickHouseTemplate } from "./factories/clickhouse-template";
import { makeEnginesFolder } from "./factories/engines-folder";
import { sharedEngines } from "./runner/shared-engines.mjs";
import { beginRun } from "./runner/test-run.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The embedded Postgres of this run, as its superuser. */
    postgresUrl: string;
    /** The embedded ClickHouse of this run, with its password and token. */
    clickhouseUrl: string;
    /** What makes the tables of a test's database in it. */
    clickhouseTemplate: ClickHouseTemplate;
    /** The thread of an import, built as it ships. */
    feedWorkerFile: string;
    /** The thread of scans, built as it ships. */
    scanWorkerFile: string;
    /** Where `madeOnce` keeps what files share; within the repository, so that programs in it find their packages. */
    runFolder: string;
  }
}

export const TEMPLATE_DATABASE = "template_svc";

const rootDir = path.resolve(import.meta.dirname, "..");
/** A throw-away cluster: nothing of it has to survive the machine. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  max_connections: "200",
  io_method: "sync",
  max_wal_size: "256MB",
  wal_compression: "off",
  // It would change plans and statistics in the middle of a test, and keep databases from being copied.
  autovacuum: "off",
};

/** Each test file has a database of its own, with the same privileges as svc on its one. */
const GRANTS = [
  ...grantsOn("test_*"),
  "GRANT CREATE DATABASE, DROP DATABASE, OPTIMIZE, SYSTEM MERGES ON test_*.*",
  "GRANT SELECT ON system.mutations",
  "GRANT TABLE ENGINE ON Log",
];

type Provider = Pick<TestProject, "provide">;

/** Starts the engines that all test files share, once a run; `npm test` starts them for its runs of vitest. */
export async function setup(project: Provider): Promise<() => Promise<void>> {
  const shared = sharedEngines();
  if (shared) {
    for (const [name, value] of Object.entries(shared)) project.provide(name as "runFolder", value as string);
    return async () => undefined;
  }
  if (process.env.SVC_TEST_RUN !== undefined) return startAll(project);
  const print = (line: string) => process.stderr.write(`svc: ${line}\n`);
  const run = await beginRun({ rootDir, print });
  const stop = await startAll(project);
  return async () => {
    await stop();
    for (const line of await run.end()) print(`left behind by this run: ${line}`);
  };
}

async function startAll(project: Provider): Promise<() => Promise<void>> {
  const dir = await makeEnginesFolder();
  const runFolder = await mkdtemp(
    path.join(rootDir, ".build/test", path.basename(process.env.SVC_TEST_RUN ?? ""), "run-"),
  );
  const stops: (() => Promise<void>)[] = [];
  const tearDown = async () => {
    await Promise.all(stops.map((stop) => stop()));
    for (const folder of [dir, runFolder]) await rm(folder, { recursive: true, force: true });
  };
  try {
    const [postgres, clickhouse] = await Promise.all([
      startPostgres({ rootDir, dataDir: path.join(dir, "postgres"), settings: SETTINGS }),
      startClickHouse({ rootDir, dir: path.join(dir, "clickhouse"), grants: GRANTS }),
    ]);
    stops.push(postgres.stop, clickhouse.stop);
    const feedWorkerFile = path.join(dir, "feed-worker.mjs");
    const scanWorkerFile = path.join(dir, "scan-worker.mjs");
    const [clickhouseTemplate] = await Promise.all([
      createClickHouseTemplate(clickhouse.url, rootDir),
      createTemplate(postgres),
      buildThread({ name: "feed-worker", outFile: feedWorkerFile }),
      buildThread({ name: "scan-worker", outFile: scanWorkerFile }),
    ]);
    project.provide("runFolder", runFolder);
    project.provide("feedWorkerFile", feedWorkerFile);
    project.provide("scanWorkerFile", scanWorkerFile);
    project.provide("postgresUrl", postgres.url);
    project.provide("clickhouseUrl", clickhouse.url);
    project.provide("clickhouseTemplate", clickhouseTemplate);
    return tearDown;
  } catch (cause) {
    await tearDown();
    throw cause;
  }
}

/** Every test database is a clone of this one, which takes a tenth of the time of migrating it. */
async function createTemplate({ url }: RunningPostgres): Promise<void> {
  const sql = new Pool({ connectionString: url, max: 1 });
  await sql.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await sql.end();
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${TEMPLATE_DATABASE}`;
  await deployMigrations(templateUrl.href, rootDir);
  const template = new Pool({ connectionString: templateUrl.href, max: 1 });
  await migrateJobs(template);
  await ensurePartitions(template, new Date());
  await template.end();
}
