import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { appliedClickHouse } from "../../engines/clickhouse/migrate-clickhouse";
import { stopBlobRemovals } from "../../engines/postgres/blob-removal-lock";
import { tryLockAlone } from "../../engines/postgres/named-lock";
import { resumeShipping, stopShipping } from "../../engines/postgres/shipping-lock";
import { copyClickHouseOut, freeze, thaw } from "./clickhouse-tables";
import {
  type Installation,
  type OpenEngines,
  secretCheck,
  secretOf,
  svcVersion,
  withInstallation,
} from "./installation";
import { FORMAT, type Manifest, writeManifest } from "./manifest";
import { copyObjectsOut } from "./object-files";
import { beginSnapshot, copyOut, listTables } from "./postgres-tables";
import { copyJobsOut } from "./waiting-jobs";
import { copyWalOut, deliveryState } from "./wal-volumes";

/** How long to wait for events that svc could not deliver. */
const SETTLED_WITHIN_MS = 30_000;
const POLL_MS = 250;

export interface BackupParts {
  installation: Installation;
  /** An absolute path to a directory that does not exist yet or is empty. */
  folder: string;
  /** Receives one short line per step. */
  progress: (step: string) => void;
}

/**
 * Writes a backup of Postgres, ClickHouse, the write-ahead file and stored objects, with or without a running svc, and returns its
 * manifest. No event is in transit to ClickHouse at the time of the snapshot, so each event is in exactly one of the
 * three. On failure, throws an error with a one-sentence message and leaves the directory empty.
 */
export async function createBackup(parts: BackupParts): Promise<Manifest> {
  const { installation, folder, progress } = parts;
  await prepareFolder(folder);
  try {
    return await withInstallation(installation, async (engines) => {
      const manifest = await copyAll(parts, engines);
      progress("writing the manifest");
      await writeManifest(folder, manifest);
      return manifest;
    });
  } catch (failure) {
    for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
    throw failure;
  }
}

async function prepareFolder(folder: string): Promise<void> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty: specify a directory that does not exist yet.`);
  }
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
}

async function copyAll({ installation, folder, progress }: BackupParts, engines: OpenEngines): Promise<Manifest> {
  const { postgres, clickhouse } = engines;
  const { dataDir, rootDir } = installation;
  await beAlone(postgres);
  progress("waiting for events in transit");
  const delivered = await untilDelivered(postgres, dataDir);
  const tables = await listTables(postgres);
  // What the snapshot names must exist until it was copied; the end of the session ends this.
  await stopBlobRemovals(postgres);
  const at = await beginSnapshot(postgres, tables);
  // After the snapshot, because events in the snapshot were written to the file before.
  const wal = await copyWalOut(dataDir, folder);
  try {
    await freeze(clickhouse);
    if ((await deliveryState(dataDir)).text !== delivered) throw new Error(UNLOCKED_DELIVERY);
    await resumeShipping(postgres);
    const clickhousePart = await copyClickHouseOut(clickhouse, { folder, progress });
    const postgresPart = await copyOut(postgres, { tables, folder, progress });
    progress("copying PostgreSQL, waiting jobs");
    const jobs = await copyJobsOut(postgres, folder);
    const objects = await copyObjectsOut(installation, { folder, progress });
    const migrations = await appliedMigrations(engines);
    await postgres.query("COMMIT");
    const secret = await keepSecret(installation, folder);
    return {
      format: FORMAT,
      svc: await svcVersion(rootDir),
      at: at.toISOString(),
      migrations,
      ...secret,
      postgres: { ...postgresPart, ...(jobs && { jobs }) },
      clickhouse: clickhousePart,
      wal,
      ...(objects && { objects }),
    };
  } finally {
    await thaw(clickhouse);
  }
}

const UNLOCKED_DELIVERY =
  "svc delivered events while it could not reach PostgreSQL, so some events would count twice: run the backup again.";

/** Two concurrent backups would remove each other's frozen tables. */
async function beAlone(postgres: ClientBase): Promise<void> {
  if (!(await tryLockAlone(postgres, "backup")))
    throw new Error("Another backup is running: try again when it has finished.");
}

async function keepSecret(installation: Installation, folder: string) {
  const { secret, isGenerated } = await secretOf(installation);
  if (isGenerated) await writeFile(path.join(folder, "secret"), secret, { mode: 0o600, flag: "wx", flush: true });
  return { secret: isGenerated ? "in_backup" : "in_environment", secret_check: secretCheck(secret) } as const;
}

/**
 * Stops the delivery of events to ClickHouse at a time when none are in transit. A batch that was sent but not
 * confirmed may be both in ClickHouse and in the file until svc has sent it again.
 */
async function untilDelivered(postgres: ClientBase, dataDir: string): Promise<string> {
  for (const end = Date.now() + SETTLED_WITHIN_MS; ; await sleep(POLL_MS)) {
    await stopShipping(postgres);
    const { text, isDelivered } = await deliveryState(dataDir);
    const { rows } = await postgres.query("SELECT 1 FROM outbox_slices LIMIT 1");
    if (isDelivered && rows.length === 0) return text;
    await resumeShipping(postgres);
    if (Date.now() > end) {
      throw new Error(
        "Some events were sent to ClickHouse but are not confirmed: start svc if it is stopped, or check its log if it is running, then try again.",
      );
    }
  }
}

async function appliedMigrations({ postgres, clickhouse }: OpenEngines): Promise<Manifest["migrations"]> {
  const { rows } = await postgres.query<{ name: string; sha256: string }>(
    `SELECT migration_name AS name, checksum AS sha256 FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const applied = Array.from(await appliedClickHouse(clickhouse), ([name, sha256]) => ({ name, sha256 }));
  return { postgres: rows, clickhouse: applied.sort(byName) };
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
