import { closeSync, constants, fchmodSync, fchownSync, futimesSync, lstatSync, openSync, writeFileSync } from "node:fs";
import { type FileHandle, lchown, link, mkdir, open, rm, symlink } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract, type Header } from "tar-stream";
import { codeOf } from "../../file-failures";
import { RuntimeError } from "../runtime";
import { invalidLayer, layerTooLarge } from "./layer-errors";
import { LayerMarks, type OverlayMark } from "./layer-marks";
import { ScopedPaths } from "./scoped-paths";
import { assertUtf8Name } from "./utf8-name";

export interface UnpackLayer {
  /** An existing, empty folder to which nobody else writes. */
  root: string;
  limits: UnpackLimits;
  /** Id 0 of the layer becomes this id on the node, and so on up to 65535; undefined: files belong to this process. */
  idBase: number | undefined;
  /** false: names that begin with `.wh.` are those of files; default true. */
  isLayer?: boolean | undefined;
}

export interface UnpackLimits {
  /** Contents of files. */
  bytesMax: number;
  entriesMax: number;
  /** Throws while the disk has no room for so many bytes. */
  assertRoom?: ((bytes: number) => void) | undefined;
}

/** An entry, whose content is read from it. */
interface Entry extends AsyncIterable<unknown> {
  header: Header;
}

/** Who a file belongs to, in the numbers of the layer. */
type Owner = Partial<Pick<Header, "uid" | "gid" | "pax">>;

export interface UnpackedLayer {
  /** On the disk: contents and an estimate of what each entry needs. */
  bytes: number;
  /** To be written when everything is unpacked. */
  marks: OverlayMark[];
}

const ENTRY_DISK_BYTES = 4096;
const IDS = 65_536;
const NOBODY = 65_534;
/** Permissions and the sticky bit: programs that change their user do not belong in a workload. */
const MODE_MASK = 0o1777;
/** Smaller files are written without threads, which takes a fraction of the processor time. */
const SMALL_FILE_BYTES = 64 * 1024;
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** System calls fail with these for paths that no file system can store. */
const INVALID_PATH_CODES = new Set<unknown>([
  "ENAMETOOLONG",
  "EINVAL",
  "EEXIST",
  "ENOTDIR",
  "ELOOP",
  "EISDIR",
  "EMLINK",
]);

/**
 * Unpacks an uncompressed layer (OCI image specification, "Image Layer Filesystem Changeset"). Nothing is written outside
 * `root`, whatever the archive says. Device files and extended attributes are left out, setuid and setgid bits removed.
 * Throws RuntimeError with `image_invalid` or `image_too_large`, and the errors of `tar` and the disk.
 */
export async function unpackLayer(tar: Readable, options: UnpackLayer): Promise<UnpackedLayer> {
  const unpacking = new Unpacking(options);
  const entries = extract();
  const flow = pipeline(tar, entries);
  // Its failure also ends the loop.
  const failure = flow.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  try {
    for await (const entry of entries) {
      await unpacking.add(entry);
      entry.resume();
    }
    await flow;
  } catch (cause) {
    tar.destroy();
    // An entry that was being read does not know why the archive ended.
    throw failureOf(codeOf(cause) === "STREAM_DESTROYED" ? ((await failure) ?? cause) : cause);
  }
  return { bytes: unpacking.bytes, marks: unpacking.marks.of(options.root) };
}

function failureOf(cause: unknown): unknown {
  if (cause instanceof RuntimeError) return cause;
  const code = codeOf(cause);
  if (INVALID_PATH_CODES.has(code)) return invalidLayer("two of its entries contradict each other", cause);
  const isTar = code === undefined && cause instanceof Error && /header|tar|data/i.test(cause.message);
  return isTar ? invalidLayer("it is not a tar archive", cause) : cause;
}

class Unpacking {
  bytes = 0;
  readonly marks = new LayerMarks();
  #entries = 0;
  #content = 0;
  readonly #paths: ScopedPaths;

  constructor(readonly options: UnpackLayer) {
    this.#paths = new ScopedPaths(options.root, (folder) => this.#own(folder, {}));
  }

  async add(entry: Entry): Promise<void> {
    const { header } = entry;
    this.#count(header);
    assertUtf8Name(header.name);
    assertUtf8Name(header.linkname);
    if (Object.keys(header.pax ?? {}).some((name) => name.startsWith("GNU.sparse.")))
      throw invalidLayer("it has a file in the sparse format of GNU tar; write it with --no-sparse or --format=ustar");
    const relative = await this.#paths.locate(header.name);
    const name = path.posix.basename(relative);
    if (name.startsWith(WHITEOUT) && this.options.isLayer !== false) return this.#addWhiteout(relative, name);
    const absolute = this.#paths.absolute(relative);
    if (header.type === "directory") return this.#addFolder(absolute, header);
    if (relative === "") throw invalidLayer("its root is not a folder");
    if (header.type === "character-device" || header.type === "block-device") return;
    await this.#makePlace(absolute);
    await this.#addFile(absolute, entry);
  }

  #count({ size = 0 }: Header): void {
    const { bytesMax, entriesMax, assertRoom } = this.options.limits;
    this.#content += size;
    this.bytes += ENTRY_DISK_BYTES + size;
    if (++this.#entries > entriesMax) throw layerTooLarge(`it has more than ${entriesMax} entries`);
    if (this.#content > bytesMax) throw layerTooLarge(`its files are larger than ${bytesMax} bytes in all`);
    assertRoom?.(size);
  }

  async #addFile(absolute: string, entry: Entry): Promise<void> {
    const { header } = entry;
    switch (header.type) {
      case "file":
      case "contiguous-file":
        return this.#writeFile(absolute, entry);
      case "symlink":
        await symlink(header.linkname ?? "", absolute);
        return this.#own(absolute, header);
      case "link":
        return this.#linkFile(absolute, header.linkname ?? "");
      case "fifo":
        return this.#addFifo(absolute, header);
      default:
        throw invalidLayer(`it has an entry of an unknown type`);
    }
  }

  async #writeFile(absolute: string, entry: Entry): Promise<void> {
    const { header } = entry;
    if (header.size <= SMALL_FILE_BYTES)
      return this.#writeSmallFile(absolute, { header, content: await contentOf(entry) });
    const file = await open(absolute, CREATE, 0o600);
    try {
      await writeSparse(file, entry);
      const { ids, mode, mtime } = this.#attributesOf(header);
      if (ids) await file.chown(...ids);
      await file.chmod(mode);
      await file.utimes(mtime, mtime);
    } finally {
      await file.close();
    }
  }

  #writeSmallFile(absolute: string, { header, content }: { header: Header; content: Buffer }): void {
    const file = openSync(absolute, CREATE, 0o600);
    try {
      writeFileSync(file, content);
      const { ids, mode, mtime } = this.#attributesOf(header);
      if (ids) fchownSync(file, ...ids);
      fchmodSync(file, mode);
      futimesSync(file, mtime, mtime);
    } finally {
      closeSync(file);
    }
  }

  #attributesOf(header: Header): { ids: [number, number] | undefined; mode: number; mtime: Date } {
    const { mode = 0o644, mtime = new Date(0), pax } = header;
    return { ids: this.#idsOf(header), mode: mode & MODE_MASK, mtime: paxTime(pax) ?? mtime };
  }

  /** The target is an entry of the same layer; a link to a link would be followed by later writes. */
  async #linkFile(absolute: string, linkname: string): Promise<void> {
    const target = this.#paths.absolute(await this.#paths.locate(linkname.replace(/^\/+/, "")));
    const found = lstatSync(target, { throwIfNoEntry: false });
    if (!found?.isFile()) throw invalidLayer("it has a hard link to something that is not a file of the layer");
    if (target !== absolute) await link(target, absolute);
  }

  async #addFolder(absolute: string, header: Header): Promise<void> {
    const found = lstatSync(absolute, { throwIfNoEntry: false });
    if (found && !found.isDirectory()) await this.#makePlace(absolute);
    if (!found?.isDirectory()) await mkdir(absolute);
    await this.#own(absolute, header);
    const folder = await open(absolute, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      // An ordinary user must be able to write to the folders that it makes.
      const least = this.options.idBase === undefined ? 0o700 : 0;
      await folder.chmod(((header.mode ?? 0o755) & MODE_MASK) | least);
    } finally {
      await folder.close();
    }
  }

  #addWhiteout(relative: string, name: string): void {
    const folder = relative.slice(0, -name.length).replace(/\/$/, "");
    if (name === OPAQUE) return void this.marks.add({ kind: "opaque", path: folder });
    const deleted = name.slice(WHITEOUT.length);
    if (deleted === "" || deleted === "." || deleted === "..") throw invalidLayer("it deletes an invalid name");
    this.marks.add({ kind: "whiteout", path: folder === "" ? deleted : `${folder}/${deleted}` });
  }

  #addFifo(absolute: string, header: Header): void {
    const { ids, mode } = this.#attributesOf(header);
    this.marks.add({ kind: "fifo", path: path.relative(this.options.root, absolute), mode, ...(ids && { ids }) });
  }

  /** A later entry replaces an earlier one. */
  async #makePlace(absolute: string): Promise<void> {
    if (!lstatSync(absolute, { throwIfNoEntry: false })) return;
    await rm(absolute, { recursive: true });
    this.#paths.forget();
  }

  async #own(absolute: string, owner: Owner): Promise<void> {
    const ids = this.#idsOf(owner);
    if (ids) await lchown(absolute, ...ids);
  }

  #idsOf({ pax, ...owner }: Owner): [number, number] | undefined {
    const uid = paxNumber(pax, "uid") ?? owner.uid ?? 0;
    const gid = paxNumber(pax, "gid") ?? owner.gid ?? 0;
    const { idBase } = this.options;
    if (idBase === undefined) return undefined;
    const shifted = (id: number) => idBase + (id >= 0 && id < IDS ? id : NOBODY);
    return [shifted(uid), shifted(gid)];
  }
}

/** A number of a pax header, which replaces one that is too large for the older header, or less exact. */
function paxNumber(pax: Header["pax"], name: "uid" | "gid" | "mtime"): number | undefined {
  const text = (pax as Partial<Record<string, string>> | null | undefined)?.[name];
  const value = Number(text);
  return text !== undefined && text !== "" && Number.isFinite(value) ? value : undefined;
}

function paxTime(pax: Header["pax"]): Date | undefined {
  const seconds = paxNumber(pax, "mtime");
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

/** Zeros become holes, so that a sparse file needs no more than it did. */
async function writeSparse(file: FileHandle, entry: Entry): Promise<void> {
  let position = 0;
  for await (const part of entry) {
    const chunk = part as Buffer;
    if (!isZero(chunk)) await writeAt(file, chunk, position);
    position += chunk.length;
  }
  await file.truncate(position);
}

async function writeAt(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at, position + at);
    at += bytesWritten;
  }
}

/** Compares with itself, one byte later, which needs no second buffer. */
const isZero = (chunk: Buffer): boolean =>
  chunk.length > 0 && chunk[0] === 0 && chunk.subarray(1).equals(chunk.subarray(0, -1));

async function contentOf(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
