import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { type ClientBase, Pool } from "pg";
import { migrateClickHouse, readClickHouseMigrations } from "../../engines/clickhouse/migrate-clickhouse";
import { startClickHouse } from "../../engines/clickhouse/start-clickhouse";
import { openDataDir } from "../../engines/data-dir";
import { migrateJobs } from "../../engines/jobs/migrate-jobs";
import { hasBlobs } from "../../engines/objects/blob-files";
import { blobsFolder } from "../../engines/objects/open-blob-store";
import { deployMigrations } from "../../engines/postgres/deploy-migrations";
import { readMigrations } from "../../engines/postgres/migration-files";
import { startPostgres } from "../../engines/postgres/start-postgres";
import { sha256 } from "../../kernel/secrets";
import { copyClickHouseIn, emptyTables, filledClickHouseTables } from "./clickhouse-tables";
import type { BackupParts } from "./create-backup";
import { connected, type Installation, type OpenEngines, secretCheck } from "./installation";
import { type Manifest, readBackup } from "./manifest";
import { checkObjects, copyObjectsIn, removeObjects } from "./object-files";
import { copyIn, filledTables } from "./postgres-tables";
import { copyJobsIn } from "./waiting-jobs";
import { copyWalIn, hasWal, removeWal } from "./wal-volumes";

/**
 * Restores a backup into empty engines and a data directory without events, and returns its manifest. The backup and
 * the target are validated before anything is written. After a failure the target is empty again; if the process was
 * killed, the next attempt rejects the remaining data. Throws an error with a one-sentence message.
 */
export async function restoreBackup(parts: BackupParts): Promise<Manifest> {
  const { installation, folder, progress } = parts;
  progress("checking the backup");
  const manifest = await readBackup(folder);
  await checkObjects(manifest.objects, folder);
  await checkMigrations(manifest, installation.rootDir);
  const secret = await secretFor(manifest, { installation, folder });
  const dataDir = openDataDir(installation.dataDir);
  try {
    if (await hasWal(dataDir.dir)) throw notEmpty(`${dataDir.dir} contains a write-ahead file`);
    await refuseObjects(manifest, installation);
    await withEmptyEngines(parts, async (engines) => {
      if (installation.secret === undefined) await writeSecret(dataDir.dir, secret);
      await fill(parts, manifest, engines);
    });
    return manifest;
  } finally {
    dataDir.close();
  }
}

/**
 * A later svc may have tables that the backup does not have, and an earlier one may not have all tables of the backup.
 */
async function checkMigrations({ migrations, svc }: Manifest, rootDir: string): Promise<void> {
  const { migrationDirectories } = await readMigrations(rootDir);
  const postgres = migrationDirectories.map(({ path: name, migrationFile: { content } }) => ({
    name,
    sha256: sha256(content.tag === "ok" ? content.value : ""),
  }));
  const clickhouse = (await readClickHouseMigrations(path.join(rootDir, "clickhouse"))).map((migration) => ({
    name: migration.name,
    sha256: migration.sha256,
  }));
  if (JSON.stringify(migrations) === JSON.stringify({ postgres, clickhouse })) return;
  throw new Error(
    `The backup was created by svc ${svc} with other migrations than this version has: restore it with svc ${svc}, then upgrade.`,
  );
}

async function secretFor(
  manifest: Manifest,
  { installation, folder }: { installation: Installation; folder: string },
): Promise<string> {
  const inFile = async () => (await readFile(path.join(folder, "secret"), "utf8").catch(() => "")).trim();
  const secret = installation.secret ?? (manifest.secret === "in_backup" ? await inFile() : undefined);
  if (secret === undefined) {
    throw new Error(
      "The secret is not in the backup: set SVC_SECRET to the secret of the installation that was backed up.",
    );
  }
  if (secretCheck(secret) === manifest.secret_check) return secret;
  throw new Error(
    installation.secret === undefined
      ? "The backup is damaged: secret has changed since it was written. Use another one."
      : "SVC_SECRET is not the secret of the installation that was backed up: set it to that secret.",
  );
}

async function withEmptyEngines(
  { installation, progress }: BackupParts,
  act: (engines: OpenEngines) => Promise<void>,
): Promise<void> {
  const { rootDir, dataDir, databaseUrl, clickhouseUrl } = installation;
  const { retentionRawDays: rawDays, retentionRollupDays: rollupDays } = installation;
  const stops: (() => Promise<void>)[] = [];
  const kept = <E extends { url: string; stop(): Promise<void> }>(engine: E): string => {
    stops.push(() => engine.stop());
    return engine.url;
  };
  try {
    progress("starting the engines");
    const postgresUrl = databaseUrl ?? kept(await startPostgres(installation));
    const dir = path.join(dataDir, "clickhouse");
    const urls = { postgresUrl, clickhouseUrl: clickhouseUrl ?? kept(await startClickHouse({ rootDir, dir })) };
    await connected(urls, async (engines) => {
      await refuseRunning(engines.postgres);
      progress("migrating");
      await deployMigrations(postgresUrl, rootDir);
      await makeJobTables(postgresUrl);
      await migrateClickHouse(engines.clickhouse, {
        dir: path.join(rootDir, "clickhouse"),
        retention: { rawDays, rollupDays },
      });
      await refuseFilled(engines);
      await act(engines);
    });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function makeJobTables(postgresUrl: string): Promise<void> {
  const pool = new Pool({ connectionString: postgresUrl, max: 1 });
  try {
    await migrateJobs(pool);
  } finally {
    await pool.end();
  }
}

/** ClickHouse has no transactions, so it is restored first and emptied again if a later step fails. */
async function fill(
  { installation, folder, progress }: BackupParts,
  manifest: Manifest,
  { postgres, clickhouse }: OpenEngines,
): Promise<void> {
  const { dataDir } = installation;
  try {
    await copyClickHouseIn(clickhouse, { part: manifest.clickhouse, folder, progress });
    await copyWalIn(manifest.wal, { folder, dataDir });
    await copyObjectsIn(manifest.objects, { folder, dataDir, progress });
    await postgres.query("BEGIN");
    await copyIn(postgres, { part: manifest.postgres, folder, progress });
    await copyJobsIn(postgres, { jobs: manifest.postgres.jobs, folder });
    await postgres.query("COMMIT");
  } catch (failure) {
    progress("failed; deleting restored rows");
    await undo({ clickhouse, dataDir });
    throw failure;
  }
  await postgres.query("ANALYZE");
}

async function undo({ clickhouse, dataDir }: { clickhouse: ClickHouseClient; dataDir: string }): Promise<void> {
  // Postgres rolls back when its session ends.
  await emptyTables(clickhouse).catch(() => undefined);
  await removeWal(dataDir).catch(() => undefined);
  await removeObjects(dataDir).catch(() => undefined);
}

async function refuseRunning(postgres: ClientBase): Promise<void> {
  const { rows } = await postgres.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc' LIMIT 1",
  );
  if (rows.length > 0) throw new Error("svc is running on this database: stop all of its processes, then restore.");
}

async function refuseObjects({ objects }: Manifest, { dataDir, s3 }: Installation): Promise<void> {
  if (objects && s3) {
    throw new Error(
      "The backup contains the stored objects as files: leave the variables that begin with S3_ out to restore it.",
    );
  }
  if (await hasBlobs(blobsFolder(dataDir))) throw notEmpty(`${blobsFolder(dataDir)} contains stored objects`);
}

async function refuseFilled({ postgres, clickhouse }: OpenEngines): Promise<void> {
  const [table] = await filledTables(postgres);
  if (table !== undefined) throw notEmpty(`the table ${table} of PostgreSQL has rows`);
  const [events] = await filledClickHouseTables(clickhouse);
  if (events !== undefined) throw notEmpty(`the table ${events} of ClickHouse has rows`);
}

const notEmpty = (why: string): Error =>
  new Error(
    `A backup can only be restored into an empty installation, but ${why}: set SVC_DATA_DIR to a new directory, or DATABASE_URL and CLICKHOUSE_URL to empty databases.`,
  );

/** The rename makes the file appear complete or not at all. */
async function writeSecret(dataDir: string, secret: string): Promise<void> {
  const file = path.join(dataDir, "secret");
  await writeFile(`${file}.new`, secret, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
