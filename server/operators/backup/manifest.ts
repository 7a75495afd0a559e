import { createReadStream } from "node:fs";
import { open, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { syncFolder } from "../../engines/wal/sync-folder";
import { fingerprintOf } from "./fingerprint";

/** Increases with every change that an older svc cannot read. */
export const FORMAT = 1;
const FILE = "manifest.json";

const count = z.number().int().min(0);
/** A file path that cannot leave the backup, even if the manifest was edited. */
const FileEntry = z.object({
  file: z.string().regex(/^(postgres|clickhouse|wal|objects)\/[\w.-]+(\/[\w.-]+)?$/),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const TableEntry = FileEntry.extend({ table: z.string(), columns: z.array(z.string()).min(1), rows: count });
const Migrations = z.array(z.object({ name: z.string(), sha256: z.string() }));

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of svc that created it. */
  svc: z.string(),
  /** The time of the snapshot. */
  at: z.iso.datetime(),
  migrations: z.object({ postgres: Migrations, clickhouse: Migrations }),
  /** Where the installation's secret is: in the file `secret` next to this one, or only in SVC_SECRET. */
  secret: z.enum(["in_backup", "in_environment"]),
  /** Identifies the correct secret without revealing it. */
  secret_check: z.string(),
  postgres: z.object({
    /** A table follows the tables that its foreign keys reference. */
    tables: z.array(TableEntry),
    /** Waiting jobs; missing in backups of earlier versions. */
    jobs: FileEntry.extend({ rows: count }).optional(),
    partitions: z.array(z.string()),
    sequences: z.array(
      z.object({ table: z.string(), column: z.string(), last_value: z.string(), is_called: z.boolean() }),
    ),
  }),
  clickhouse: z.object({ tables: z.array(TableEntry) }),
  /** Events that had not reached ClickHouse at the time of the backup. */
  wal: z.array(FileEntry),
  /**
   * The list of the stored objects' files; missing if there are none, or if they are in an external object store, and in
   * backups of earlier versions.
   */
  objects: FileEntry.extend({ rows: count, content_bytes: count }).optional(),
});

export type Manifest = z.output<typeof Manifest>;
export type FileEntry = z.output<typeof FileEntry>;
export type TableEntry = z.output<typeof TableEntry>;

/** Written last and atomically: a directory without it is not a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = path.join(folder, `${FILE}.new`);
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path.join(folder, FILE));
  await syncFolder(folder);
}

/**
 * Reads and checks a backup, each file by its hash; `checkObjects` checks those of stored objects. Throws an error with a one-sentence message if it cannot be
 * restored.
 */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { postgres, clickhouse, wal, objects } = manifest;
  const single = [postgres.jobs, objects].filter((entry) => entry !== undefined);
  for (const entry of [...postgres.tables, ...single, ...clickhouse.tables, ...wal]) {
    const file = path.join(folder, entry.file);
    const size = await stat(file).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) throw new Error(`The backup is damaged: ${entry.file} is missing. Use another one.`);
    if (size !== entry.bytes || (await fingerprintOf(createReadStream(file))) !== entry.sha256) {
      throw new Error(`The backup is damaged: ${entry.file} has changed since it was written. Use another one.`);
    }
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, FILE), "utf8").catch(() => {
    throw new Error(`${folder} is not a complete backup: it has no ${FILE}, which is written last.`);
  });
  const damaged = `The backup is damaged: ${FILE} has changed since it was written. Use another one.`;
  const json = parse(text, damaged);
  const format = z.object({ format: z.number() }).safeParse(json).data?.format;
  if (format !== undefined && format > FORMAT) {
    throw new Error(`The backup has format ${format} and this svc reads ${FORMAT}: restore it with a newer svc.`);
  }
  const { data } = Manifest.safeParse(json);
  if (!data) throw new Error(damaged);
  return data;
}

function parse(text: string, complaint: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(complaint, { cause });
  }
}
