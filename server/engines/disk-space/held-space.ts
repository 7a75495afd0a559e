import { execFile } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** Of a preallocated file, below the data directory. */
export const heldFile = (dataDir: string): string => path.join(dataDir, "reserve");

/**
 * A file whose blocks are allocated and never written: deleting it gives svc's database space at once when something has
 * filled the disk faster than svc could stop it.
 */
export class HeldSpace {
  readonly #file: string;
  #isUnsupported = false;

  constructor(dataDir: string) {
    this.#file = heldFile(dataDir);
  }

  /** Allocates the file, unless it has the size. Does nothing where the file system or the machine cannot preallocate. */
  async hold(bytes: number): Promise<void> {
    if (this.#isUnsupported || (await sizeOf(this.#file)) === bytes) return;
    await this.release();
    try {
      await promisify(execFile)("fallocate", ["--length", String(bytes), this.#file]);
    } catch {
      this.#isUnsupported = true;
      await this.release();
    }
  }

  release(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
