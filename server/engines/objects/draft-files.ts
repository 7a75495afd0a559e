import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../file-failures";
import { isAlive, processMark } from "../file-lock.mjs";

/**
 * Files that are not complete yet, in a folder of this process: several processes share the store, and only what a
 * process that has ended left behind may be removed.
 */
export class DraftFiles {
  readonly #all: string;
  readonly #own: string;
  readonly #prefix = randomUUID();
  #count = 0;

  constructor(dir: string) {
    this.#all = dir;
    this.#own = path.join(dir, `${process.pid}.${processMark(process.pid) ?? ""}`);
  }

  /** Creates the folder of this process and removes those of processes that have ended. */
  async prepare(): Promise<void> {
    await mkdir(this.#own, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#all)) {
      const [pid, ...mark] = name.split(".");
      if (isAlive({ pid: Number(pid), mark: mark.join(".") })) continue;
      await rm(path.join(this.#all, name), { recursive: true, force: true });
    }
  }

  /** A path in the folder of this process that no file has. */
  next(): string {
    this.#count++;
    return path.join(this.#own, `${this.#prefix}-${this.#count}`);
  }

  async create() {
    const file = this.next();
    try {
      return { file, handle: await open(file, "wx", 0o600) };
    } catch (failure) {
      if (codeOf(failure) !== "ENOENT") throw failure;
      // Somebody has removed the folder.
      await mkdir(this.#own, { recursive: true, mode: 0o700 });
      return { file, handle: await open(file, "wx", 0o600) };
    }
  }

  /** Removes files, also of running processes, whose last change is before `olderThan`. */
  async removeOld(olderThan: Date): Promise<void> {
    await this.prepare();
    for (const folder of await readdir(this.#all)) {
      for (const name of await readdir(path.join(this.#all, folder))) {
        const file = path.join(this.#all, folder, name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (mtimeMs < olderThan.getTime()) await unlink(file).catch(() => undefined);
      }
    }
  }
}
