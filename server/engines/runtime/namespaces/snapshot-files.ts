import { once } from "node:events";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, opendir, readlink } from "node:fs/promises";
import path from "node:path";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { type Pack, pack } from "tar-stream";
import { codeOf } from "../../file-failures";
import { addTarEntry, type EntryHeader } from "../add-tar-entry";
import { invalidLayer } from "../oci/layer-errors";
import { utf8Name } from "../oci/utf8-name";

export interface SnapshotFiles {
  /** The folder with the changes of a workload, or with the files of a volume; a workload may change it meanwhile. */
  root: string;
  /** Folders that hide those of the image, relative to `root`; default: none. */
  opaque?: ReadonlySet<string> | undefined;
  /** false: the archive says nothing about deletions, and has the attributes of `root` itself; default true. */
  isLayer?: boolean | undefined;
  /** Of the node's id that is id 0 in the workload. */
  idBase: number;
  /** Paths relative to `root` that are left out, with all that is below them; default: none. */
  leftOut?: ReadonlySet<string> | undefined;
}

interface Walk extends SnapshotFiles {
  archive: Pack;
  closed: AbortSignal;
  /** The first name of a file with several, by inode. */
  names: Map<number, string>;
  /** Of all of them. */
  characters: number;
}

const IDS = 65_536;
/** Each level needs an open file. */
const DEPTH_MAX = 256;
const READ_BYTES = 256 * 1024;
/** Of a folder at a time. */
const ENTRIES_READ = 256;
/** Of files with several names, whose first names are kept. */
const NAMES_CHARACTERS_MAX = 32 * 1024 * 1024;
const REPLACED_CODES = new Set<unknown>(["ENOENT", "ELOOP", "ENOTDIR", "ENXIO"]);
const OPEN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OPEN_FOLDER = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY;

/**
 * The changes of a workload as an archive in the layer format of OCI, or the files of a volume as a plain one. Every
 * path is opened relative to its open folder, because the workload may replace a folder with a symbolic link meanwhile.
 * Files that vanish are left out.
 */
export function snapshotFiles(options: SnapshotFiles): Readable {
  const archive = pack();
  const stopped = new AbortController();
  const output = new PassThrough();
  pipeline(archive, output, () => stopped.abort());
  const walk: Walk = { ...options, archive, closed: stopped.signal, names: new Map(), characters: 0 };
  addRoot(walk).then(
    () => archive.finalize(),
    (cause: unknown) => archive.destroy(cause instanceof Error ? cause : new Error(String(cause))),
  );
  return output;
}

async function addRoot(walk: Walk): Promise<void> {
  const root = await open(walk.root, OPEN_FOLDER);
  try {
    if (walk.isLayer === false) await addHeader(walk, rootHeader(walk, await root.stat()));
    await addEntries(walk, { folder: root, name: "", depth: 0 });
  } finally {
    await root.close();
  }
}

async function addEntries(
  walk: Walk,
  { folder, name, depth }: { folder: FileHandle; name: string; depth: number },
): Promise<void> {
  if (depth > DEPTH_MAX) throw invalidLayer(`folders are nested more than ${DEPTH_MAX} levels deep`);
  const prefix = name === "" ? "" : `${name}/`;
  if (walk.opaque?.has(name)) await addHeader(walk, { name: `${prefix}.wh..wh..opq`, type: "file", size: 0 });
  const listing = await opendir(pathOf(folder), { bufferSize: ENTRIES_READ, encoding: "latin1" });
  for await (const { name: bytes } of listing) {
    walk.closed.throwIfAborted();
    const entry = utf8Name(Buffer.from(bytes, "latin1"));
    if (walk.leftOut?.has(prefix + entry)) continue;
    await addEntry(walk, { place: path.join(pathOf(folder), entry), name: prefix + entry, depth });
  }
}

/** The kernel resolves such a path from the open file, wherever it has been moved. */
const pathOf = (file: FileHandle): string => `/proc/self/fd/${file.fd}`;

async function addEntry(
  walk: Walk,
  { place, name, depth }: { place: string; name: string; depth: number },
): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  if (!stats) return;
  const header = headerOf(walk, { name, stats });
  if (stats.isDirectory()) await addFolder(walk, { place, header, depth });
  else if (stats.isFile()) await addFile(walk, { place, header });
  else if (stats.isFIFO()) await addHeader(walk, { ...header, type: "fifo" });
  else if (stats.isSymbolicLink()) {
    const target = await readlink(place, "buffer").catch(() => undefined);
    if (target !== undefined) await addHeader(walk, { ...header, type: "symlink", linkname: utf8Name(target) });
  } else if (stats.isCharacterDevice() && stats.rdev === 0 && walk.isLayer !== false) {
    const whiteout = path.posix.join(path.posix.dirname(name), `.wh.${path.posix.basename(name)}`);
    await addHeader(walk, { name: whiteout, type: "file", size: 0 });
  }
}

async function addFolder(
  walk: Walk,
  { place, header, depth }: { place: string; header: EntryHeader; depth: number },
): Promise<void> {
  const folder = await openIfPresent(place, OPEN_FOLDER);
  if (!folder) return;
  try {
    await addHeader(walk, { ...header, name: `${header.name}/`, type: "directory" });
    await addEntries(walk, { folder, name: header.name, depth: depth + 1 });
  } finally {
    await folder.close();
  }
}

async function addFile(walk: Walk, { place, header }: { place: string; header: EntryHeader }): Promise<void> {
  const file = await openIfPresent(place, OPEN_FILE);
  if (!file) return;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return;
    const first = walk.names.get(stats.ino);
    if (first !== undefined) return await addHeader(walk, { ...header, type: "link", linkname: first });
    if (stats.nlink > 1) keepName(walk, stats.ino, header.name);
    await addContent(walk, { file, header: { ...header, type: "file", size: stats.size } });
  } finally {
    await file.close();
  }
}

function keepName(walk: Walk, inode: number, name: string): void {
  walk.characters += name.length;
  if (walk.characters > NAMES_CHARACTERS_MAX)
    throw invalidLayer("the paths of its files with several names are too long");
  walk.names.set(inode, name);
}

/** Undefined for what has been deleted, or replaced by something else, since it was listed. */
async function openIfPresent(place: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(place, flags);
  } catch (cause) {
    if (REPLACED_CODES.has(codeOf(cause))) return undefined;
    throw cause;
  }
}

/** An entry has the size that its header says, even if the file shrinks or grows meanwhile. */
async function addContent(
  { archive, closed }: Walk,
  { file, header }: { file: FileHandle; header: EntryHeader },
): Promise<void> {
  const { size = 0 } = header;
  const entry = addTarEntry(archive, header);
  for (let position = 0; position < size; ) {
    const length = Math.min(READ_BYTES, size - position);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
    const chunk = bytesRead > 0 ? buffer.subarray(0, bytesRead) : buffer;
    position += chunk.length;
    if (!entry.write(chunk)) await once(entry, "drain", { signal: closed });
  }
  entry.end();
}

/** Resolves when the header is in the archive. */
function addHeader({ archive, closed }: Walk, header: EntryHeader): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("The snapshot was closed."));
    if (closed.aborted) return stop();
    addTarEntry(archive, header, { content: "", done: (failure) => (failure ? reject(failure) : resolve()) });
  });
}

const rootHeader = (walk: Walk, stats: Stats): EntryHeader => ({
  ...headerOf(walk, { name: "./", stats }),
  type: "directory",
});

function headerOf({ idBase }: Walk, { name, stats }: { name: string; stats: Stats }): EntryHeader {
  const idOf = (id: number) => (id >= idBase && id < idBase + IDS ? id - idBase : 0);
  return { name, mode: stats.mode & 0o7777, uid: idOf(stats.uid), gid: idOf(stats.gid), mtime: stats.mtime };
}
