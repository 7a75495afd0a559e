import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { appliedClickHouse } from "../../engines/clickhouse/migrate-clickhouse";
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
import { beginSnapshot, copyOut, listTables } from "./postgres-tables";
import { copyWalOut, deliveryState } from "./wal-volumes";

/** How long events that svc failed to deliver are waited for. */
const SETTLED_WITHIN_MS = 30_000;
const POLL_MS = 250;
/** Held by the one backup that is being made ("svcb" in ASCII). */
const BACKUP_LOCK = 0x73_76_63_62;

export interface BackupParts {
  installation: Installation;
  /** Absolute, and not there yet or empty. */
  folder: string;
  /** Hears one short line a step. */
  progress: (step: string) => void;
}

/**
 * Writes a backup of Postgres, ClickHouse and the write-ahead file beside a running svc or without one, and answers its
 * manifest. For the moment that it shows nothing is on its way to ClickHouse, so each event is in one of the three, once.
 * Throws one sentence, and leaves the folder empty, when something fails.
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
    throw new Error(`${folder} is not empty: name a folder that does not exist yet.`);
  }
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
}

async function copyAll({ installation, folder, progress }: BackupParts, engines: OpenEngines): Promise<Manifest> {
  const { postgres, clickhouse } = engines;
  const { dataDir, rootDir } = installation;
  await beAlone(postgres);
  progress("waiting for events on their way");
  const delivered = await settle(postgres, dataDir);
  const tables = await listTables(postgres);
  const at = await beginSnapshot(postgres, tables);
  // After the snapshot: what it holds was written to the file before.
  const wal = await copyWalOut(dataDir, folder);
  try {
    await freeze(clickhouse);
    if ((await deliveryState(dataDir)).text !== delivered) throw new Error(UNLOCKED_DELIVERY);
    await resumeShipping(postgres);
    const clickhousePart = await copyClickHouseOut(clickhouse, { folder, progress });
    const postgresPart = await copyOut(postgres, { tables, folder, progress });
    const migrations = await appliedMigrations(engines);
    await postgres.query("COMMIT");
    const secret = await keepSecret(installation, folder);
    return {
      ...{ format: FORMAT, svc: await svcVersion(rootDir), at: at.toISOString(), migrations, ...secret },
      ...{ postgres: postgresPart, clickhouse: clickhousePart, wal },
    };
  } finally {
    await thaw(clickhouse);
  }
}

const UNLOCKED_DELIVERY =
  "svc delivered events while it could not reach PostgreSQL, so this backup would count some twice: run it again.";

/** Two would take each other's frozen tables away. */
async function beAlone(postgres: ClientBase): Promise<void> {
  const { rows } = await postgres.query<{ alone: boolean }>("SELECT pg_try_advisory_lock($1) AS alone", [BACKUP_LOCK]);
  if (!rows[0]?.alone) throw new Error("Another backup is being made: try again when it is done.");
}

async function keepSecret(installation: Installation, folder: string) {
  const { secret, isGenerated } = await secretOf(installation);
  if (isGenerated) await writeFile(path.join(folder, "secret"), secret, { mode: 0o600, flag: "wx", flush: true });
  return { secret: isGenerated ? "in_backup" : "in_environment", secret_check: secretCheck(secret) } as const;
}

/**
 * Keeps events from ClickHouse in a moment when none is on its way. A batch that was sent and not confirmed may be there
 * and here too; it is gone once svc has sent it again.
 */
async function settle(postgres: ClientBase, dataDir: string): Promise<string> {
  for (const end = Date.now() + SETTLED_WITHIN_MS; ; await sleep(POLL_MS)) {
    await stopShipping(postgres);
    const { text, isSettled } = await deliveryState(dataDir);
    const { rows } = await postgres.query("SELECT 1 FROM outbox_slices LIMIT 1");
    if (isSettled && rows.length === 0) return text;
    await resumeShipping(postgres);
    if (Date.now() > end) {
      throw new Error(
        "Some events were sent to ClickHouse and are not confirmed: start svc if it is stopped, see its log if it runs, then try again.",
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
