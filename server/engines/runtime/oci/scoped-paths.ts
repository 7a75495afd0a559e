import { lstat, mkdir, readlink } from "node:fs/promises";
import { undefinedIfMissing } from "../../file-failures";
import { invalidLayer } from "./layer-errors";

/** As the kernel's own limit. */
const LINKS_MAX = 40;
const PATH_BYTES_MAX = 4096;
/** Of the paths that are remembered. */
const KNOWN_CHARACTERS_MAX = 8 * 1024 * 1024;

/**
 * Finds where names of an archive lie below a folder that only this process writes to. Symbolic links of the archive
 * are followed as if the folder were the root of the file system, so that no name leads out of it.
 */
export class ScopedPaths {
  /** Relative paths of which every part is known to be a folder, and not a link. */
  readonly #folders = new Set<string>([""]);
  #characters = 0;

  constructor(
    /** Absolute. */
    readonly root: string,
    /** Called for each folder that did not exist and that the archive does not describe. */
    readonly onFolder: (absolute: string) => Promise<void>,
  ) {}

  /**
   * The relative path of a name whose last part may not exist, and is not followed if it is a link; missing folders
   * above it are made. "" is the root itself. An absolute name is one below the root, as in other tools. Throws
   * `image_invalid` for `..`.
   */
  async locate(name: string): Promise<string> {
    const parts = partsOf(name);
    const last = parts.pop();
    if (last === undefined) return "";
    const folder = await this.#follow(parts);
    return folder === "" ? last : `${folder}/${last}`;
  }

  absolute(relative: string): string {
    return relative === "" ? this.root : `${this.root}/${relative}`;
  }

  /** Must be called when something that existed was removed: folders below it may no longer be folders. */
  forget(): void {
    this.#folders.clear();
    this.#folders.add("");
    this.#characters = 0;
  }

  async #follow(parts: string[]): Promise<string> {
    let current = "";
    let links = 0;
    const pending = parts.reverse();
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (part === "..") {
        current = current.includes("/") ? current.slice(0, current.lastIndexOf("/")) : "";
        continue;
      }
      const next = current === "" ? part : `${current}/${part}`;
      const target = this.#folders.has(next) ? undefined : await this.#enter(next);
      if (target === undefined) {
        current = next;
        continue;
      }
      if (++links > LINKS_MAX) throw invalidLayer("it has a chain of too many symbolic links");
      if (target.startsWith("/")) current = "";
      pending.push(...target.split("/").filter(isPart).reverse());
    }
    return current;
  }

  /** The target of a link; undefined for a folder, which is made if nothing has this path. */
  async #enter(relative: string): Promise<string | undefined> {
    const absolute = this.absolute(relative);
    const found = await undefinedIfMissing(lstat(absolute));
    if (found?.isSymbolicLink()) return readlink(absolute);
    if (found && !found.isDirectory()) throw invalidLayer("a file is used as a folder");
    if (!found) {
      await mkdir(absolute, { mode: 0o755 });
      await this.onFolder(absolute);
    }
    if (this.#characters > KNOWN_CHARACTERS_MAX) this.forget();
    this.#folders.add(relative);
    this.#characters += relative.length;
    return undefined;
  }
}

const isPart = (part: string): boolean => part !== "" && part !== ".";

function partsOf(name: string): string[] {
  if (name.includes("\0") || Buffer.byteLength(name) > PATH_BYTES_MAX) throw invalidLayer("it has an invalid path");
  const parts = name.split("/").filter(isPart);
  if (parts.includes("..")) throw invalidLayer("it has a path with ..");
  return parts;
}
