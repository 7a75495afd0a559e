import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Damage, Place } from "./log-lines";
import { type WalIo, walIo } from "./wal-io";

const NEWLINE = 10;
const STEP_BYTES = 65_536;

interface Extent {
  number: number;
  /** Complete framed lines; bytes that a crash left after the last newline are not counted. */
  bytes: number;
}

/** The segment files of a log and how much of each may be read. Only the log itself writes to them. */
export class Segments {
  readonly #dir: string;
  readonly #io: Pick<WalIo, "remove" | "syncFolder">;
  #extents: Extent[] = [];
  /** The segment that is being written must not be removed. */
  growing: number | undefined;

  constructor(dir: string, io: Pick<WalIo, "remove" | "syncFolder"> = walIo) {
    this.#dir = dir;
    this.#io = io;
  }

  /** Reads the segments of an earlier process; returns their torn ends. */
  async scan(): Promise<Damage[]> {
    const torn: Damage[] = [];
    for (const name of (await readdir(this.#dir)).sort()) {
      if (!/^\d{12}\.log$/.test(name)) continue;
      const number = Number.parseInt(name, 10);
      const { size } = await stat(path.join(this.#dir, name));
      const bytes = await this.#endOfLines(number, size);
      if (bytes < size) torn.push({ segment: number, offset: bytes, bytes: size - bytes, reason: "torn" });
      this.#extents.push({ number, bytes });
    }
    return torn;
  }

  fileOf(number: number): string {
    return path.join(this.#dir, `${String(number).padStart(12, "0")}.log`);
  }

  get lastNumber(): number {
    return this.#extents.at(-1)?.number ?? 0;
  }

  bytesOf(number: number): number {
    return this.#extents.find((extent) => extent.number === number)?.bytes ?? 0;
  }

  grow(number: number, bytes: number): void {
    const last = this.#extents.at(-1);
    if (last?.number === number) last.bytes = bytes;
    else this.#extents.push({ number, bytes });
  }

  /** The first readable bytes at or after a place. */
  after({ segment, offset }: Place): { segment: number; start: number; end: number } | undefined {
    for (const { number, bytes } of this.#extents) {
      const start = number === segment ? offset : 0;
      if (number >= segment && bytes > start) return { segment: number, start, end: bytes };
    }
    return undefined;
  }

  bytesAfter({ segment, offset }: Place): number {
    let total = 0;
    for (const { number, bytes } of this.#extents) {
      if (number >= segment) total += Math.max(0, bytes - (number === segment ? offset : 0));
    }
    return total;
  }

  async read(number: number, start: number, end: number): Promise<Buffer> {
    const handle = await open(this.fileOf(number), "r");
    try {
      return await readRange(handle, start, end);
    } finally {
      await handle.close();
    }
  }

  get numbers(): number[] {
    return this.#extents.map(({ number }) => number);
  }

  /**
   * Removes the fully delivered segments, oldest first, and returns the numbers of those that cannot reappear after a
   * power loss.
   */
  async dropBefore(done: Place): Promise<number[]> {
    const dropped: number[] = [];
    for (const extent of [...this.#extents]) {
      const { number, bytes } = extent;
      const delivered = number < done.segment || bytes <= (number === done.segment ? done.offset : 0);
      if (number === this.growing || !delivered) continue;
      // A file that cannot be removed now is tried again after the next acknowledgement. Each removal is durable before
      // the next one, so that no later segment is gone while an earlier one still exists.
      if (!(await succeeds(this.#io.remove(this.fileOf(number))))) break;
      this.#extents = this.#extents.filter((other) => other !== extent);
      if (!(await succeeds(this.#io.syncFolder(this.#dir)))) break;
      dropped.push(number);
    }
    return dropped;
  }

  /** The offset after the last newline, read from the end, however long the last line is. */
  async #endOfLines(number: number, size: number): Promise<number> {
    for (let end = size; end > 0; end -= STEP_BYTES) {
      const start = Math.max(0, end - STEP_BYTES);
      const newline = (await this.read(number, start, end)).lastIndexOf(NEWLINE);
      if (newline >= 0) return start + newline + 1;
    }
    return 0;
  }
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(end - start);
  let got = 0;
  while (got < buffer.length) {
    const { bytesRead } = await handle.read(buffer, got, buffer.length - got, start + got);
    if (bytesRead === 0) throw new Error(`A segment ends at byte ${start + got}; expected ${end}.`);
    got += bytesRead;
  }
  return buffer;
}

const succeeds = (step: Promise<void>): Promise<boolean> =>
  step.then(
    () => true,
    () => false,
  );
