import { constants } from "node:fs";
import { chmod, copyFile, link, lstat, mkdir, readdir, readlink, rm, symlink, utimes } from "node:fs/promises";
import path from "node:path";
import { codeOf, undefinedIfMissing } from "../../file-failures";
import type { OverlayMark } from "../oci/layer-marks";
import { linkInRoot } from "./link-in-root";

export interface Layer {
  /** Its unpacked files. */
  folder: string;
  /** What it deletes of the layers below it. */
  marks: readonly OverlayMark[];
}

/** How many files of a folder are copied at a time. */
const AT_ONCE = 16;

/**
 * Copies layers, the lowest first, into an empty folder, as an overlay of them would look. Symbolic links stay inside the
 * folder, and none is followed. Rejects with the reason of `signal`.
 */
export async function composeRoot(root: string, layers: readonly Layer[], signal: AbortSignal): Promise<void> {
  for (const { folder, marks } of layers) {
    for (const mark of marks) await applyMark(root, mark);
    await new LayerCopy(folder, root, signal).copy("");
  }
}

async function applyMark(root: string, { kind, path: relative }: OverlayMark): Promise<void> {
  const place = await placeOf(root, relative);
  if (place === undefined || kind === "fifo") return;
  if (kind === "whiteout") return rm(place, { recursive: true, force: true });
  if (!(await undefinedIfMissing(lstat(place)))?.isDirectory()) return;
  for (const name of await readdir(place)) await rm(path.join(place, name), { recursive: true, force: true });
}

/** Undefined if a part of the path is no folder: a link could lead out of the root. */
async function placeOf(root: string, relative: string): Promise<string | undefined> {
  let place = root;
  for (const part of relative.split("/").filter((one) => one !== "")) {
    if (!(await undefinedIfMissing(lstat(place)))?.isDirectory()) return undefined;
    place = path.join(place, part);
  }
  return place;
}

class LayerCopy {
  /** The copies of files with several names, by inode. */
  readonly #linked = new Map<number, string>();

  constructor(
    private readonly from: string,
    private readonly root: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Copies what is in a folder, which exists in the root. */
  async copy(folder: string): Promise<void> {
    this.signal.throwIfAborted();
    const entries = await readdir(path.join(this.from, folder), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory());
    const others = entries.filter((entry) => !entry.isDirectory());
    for (let at = 0; at < others.length; at += AT_ONCE) {
      await Promise.all(others.slice(at, at + AT_ONCE).map(({ name }) => this.#copyFile(folder, name)));
    }
    for (const { name } of folders) {
      const relative = path.join(folder, name);
      const target = path.join(this.root, relative);
      if (!(await undefinedIfMissing(lstat(target)))?.isDirectory()) {
        await rm(target, { force: true });
        await mkdir(target);
      }
      await this.copy(relative);
      const { mode } = await lstat(path.join(this.from, relative));
      await chmod(target, (mode & 0o7777) | 0o700);
    }
  }

  async #copyFile(folder: string, name: string): Promise<void> {
    const [from, to] = [path.join(this.from, folder, name), path.join(this.root, folder, name)];
    const stats = await lstat(from);
    await rm(to, { recursive: true, force: true });
    if (stats.isSymbolicLink()) return symlink(linkInRoot(folder, await readlink(from)), to);
    if (!stats.isFile()) return;
    const first = this.#linked.get(stats.ino);
    if (first !== undefined && (await linked(first, to))) return;
    // Images have files that only root can read.
    if ((stats.mode & 0o400) === 0) await chmod(from, (stats.mode & 0o7777) | 0o400);
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await utimes(to, stats.atime, stats.mtime);
    if (stats.nlink > 1) this.#linked.set(stats.ino, to);
  }
}

/** false: the first name was replaced meanwhile, so that the file is copied again. */
async function linked(first: string, to: string): Promise<boolean> {
  try {
    await link(first, to);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return false;
    throw cause;
  }
}
