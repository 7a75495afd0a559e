import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { codeOf } from "../../engines/file-failures";
import { type BlobFile, blobsBelow, duplicateBlobFile, inspectBlobFile } from "../../engines/objects/blob-files";
import { isBlobName } from "../../engines/objects/blob-name";
import { blobFile } from "../../engines/objects/file-blob-store";
import { blobsFolder } from "../../engines/objects/open-blob-store";
import { syncFolder } from "../../engines/wal/sync-folder";
import type { Installation } from "./installation";
import type { FileEntry } from "./manifest";
import { readTable, writeTable } from "./table-file";

const LIST = "objects/blobs.tsv.gz";
const AT_ONCE = 4;

export type ObjectsEntry = FileEntry & { rows: number; content_bytes: number };

interface Copied extends BlobFile {
  name: string;
}

/**
 * Copies the files of stored objects, as hard links where the backup is on the same disk, and writes a list of them.
 * The caller ensures that nothing is removed that the snapshot names. undefined if there are no files.
 */
export async function copyObjectsOut(
  { dataDir, s3 }: Pick<Installation, "dataDir" | "s3">,
  { folder, progress }: { folder: string; progress: (step: string) => void },
): Promise<ObjectsEntry | undefined> {
  if (s3) {
    progress("leaving out stored objects, which are in the external object store");
    return undefined;
  }
  progress("copying stored objects");
  const total = { bytes: 0, damaged: 0, files: 0 };
  const copy = copyAll(blobsFolder(dataDir), path.join(folder, "objects"));
  async function* lines() {
    for await (const { name, bytes, checksum } of copy) {
      total.files++;
      total.bytes += bytes;
      if (checksum === "damaged") total.damaged++;
      yield `${name}\t${bytes}\t${checksum}\n`;
    }
  }
  const entry = await writeTable(Readable.from(lines(), { objectMode: false }), { folder, file: LIST });
  if (total.damaged > 0) progress(`${total.damaged} stored objects were damaged before; they were copied as they are`);
  if (total.files > 0) return { ...entry, content_bytes: total.bytes };
  await rm(path.join(folder, "objects"), { recursive: true, force: true });
  return undefined;
}

/** Compares every file of the list; throws an error of one sentence for one that is missing or has changed. */
export async function checkObjects(entry: ObjectsEntry | undefined, folder: string): Promise<void> {
  if (!entry) return;
  let rows = 0;
  for await (const { name, bytes, checksum } of readList(folder)) {
    rows++;
    const found = await inspectBlobFile(blobFile(path.join(folder, "objects"), name));
    if (!found) throw new Error(`The backup is damaged: objects/${name} is missing. Use another one.`);
    // What was damaged before the backup does not keep it from being restored.
    if (checksum === "damaged" || (found.bytes === bytes && found.checksum === checksum)) continue;
    throw new Error(`The backup is damaged: objects/${name} has changed since it was written. Use another one.`);
  }
  if (rows !== entry.rows) throw new Error(`The backup is damaged: ${LIST} has ${rows} of ${entry.rows} rows.`);
}

/** Copies the files into a data directory without any, as hard links where the backup is on the same disk. */
export async function copyObjectsIn(
  entry: ObjectsEntry | undefined,
  { folder, dataDir, progress }: { folder: string; dataDir: string; progress: (step: string) => void },
): Promise<void> {
  if (!entry) return;
  progress("restoring stored objects");
  const target = new TargetFolders(blobsFolder(dataDir));
  for await (const { name } of readList(folder)) {
    const file = blobFile(blobsFolder(dataDir), name);
    await target.create(path.dirname(file));
    await duplicateBlobFile(blobFile(path.join(folder, "objects"), name), file);
  }
  await target.sync();
}

export const removeObjects = (dataDir: string): Promise<void> =>
  rm(blobsFolder(dataDir), { recursive: true, force: true });

async function* copyAll(root: string, target: string): AsyncIterable<Copied> {
  const folders = new TargetFolders(target);
  const copyOne = async (name: string): Promise<Copied[]> => {
    const [from, to] = [blobFile(root, name), blobFile(target, name)];
    await folders.create(path.dirname(to));
    try {
      await duplicateBlobFile(from, to);
    } catch (failure) {
      // A change that failed has removed what it had stored.
      if (codeOf(failure) === "ENOENT") return [];
      throw failure;
    }
    const file = await inspectBlobFile(to);
    return file ? [{ name, ...file }] : [];
  };
  for await (const names of inGroups(blobsBelow(root))) yield* (await Promise.all(names.map(copyOne))).flat();
  await folders.sync();
}

async function* inGroups(names: AsyncIterable<string>): AsyncIterable<string[]> {
  let group: string[] = [];
  for await (const name of names) {
    group.push(name);
    if (group.length < AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function* readList(folder: string): AsyncIterable<Copied> {
  const input = readTable(path.join(folder, LIST)).content;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const [name = "", bytes, checksum = ""] = line.split("\t");
    if (!isBlobName(name)) throw new Error(`The backup is damaged: ${LIST} has an unknown line. Use another one.`);
    yield { name, bytes: Number(bytes), checksum };
  }
}

/** Folders of copied files, which are synced together. */
class TargetFolders {
  readonly #root: string;
  readonly #dirs = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async create(dir: string): Promise<void> {
    if (this.#dirs.has(dir)) return;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (let each = dir; each !== path.dirname(this.#root); each = path.dirname(each)) this.#dirs.add(each);
  }

  async sync(): Promise<void> {
    for (const dir of this.#dirs) await syncFolder(dir);
  }
}
