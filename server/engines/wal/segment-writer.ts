import { type FileHandle, open } from "node:fs/promises";
import { syncFolder } from "./sync-folder";
import type { WalIo } from "./wal-io";

const BLOCK_BYTES = 4096;

/**
 * The one segment that is being written. After `append` rejected, `recover` returns whether and how the log can
 * continue.
 */
export class SegmentWriter {
  readonly number: number;
  readonly #handle: FileHandle;
  readonly #io: WalIo;
  #durableBytes = 0;
  #syncing = false;

  private constructor(handle: FileHandle, number: number, io: WalIo) {
    this.#handle = handle;
    this.number = number;
    this.#io = io;
  }

  static async create(dir: string, { file, number }: { file: string; number: number }, io: WalIo) {
    const handle = await open(file, "wx+");
    try {
      await syncFolder(dir);
    } catch (cause) {
      await handle.close();
      throw cause;
    }
    return new SegmentWriter(handle, number, io);
  }

  /** Bytes that are known to survive a power loss. */
  get durableBytes(): number {
    return this.#durableBytes;
  }

  async append(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const written = await this.#io.write(this.#handle, bytes.subarray(at), this.#durableBytes + at);
      if (written <= 0) throw new Error("The disk accepted no bytes of a write.");
      at += written;
    }
    this.#syncing = true;
    await this.#io.sync(this.#handle);
    this.#syncing = false;
    this.#durableBytes += bytes.length;
  }

  /**
   * Undoes what a failed `append` left. "usable": the disk was full before anything was synced, so truncating the file
   * is enough. "sealed": nothing more may be appended to this file, but its durable bytes are verified. Rejects if
   * neither was possible; then nothing may be acknowledged until a restart has checked the file.
   */
  async recover(cause: unknown): Promise<"usable" | "sealed"> {
    await this.#io.truncate(this.#handle, this.#durableBytes);
    if (!this.#syncing && isDiskFull(cause)) return "usable";
    await this.#rewriteLastBlock();
    // Only now is the truncation itself durable; a lost truncation would restore rejected lines after a power loss.
    await this.#io.sync(this.#handle);
    const { size } = await this.#handle.stat();
    if (size !== this.#durableBytes) throw new Error(`A segment has ${size} bytes instead of ${this.#durableBytes}.`);
    return "sealed";
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /**
   * The failed write may have hit the block that durable lines share with rejected ones, and after a failed sync the
   * kernel marks that block as clean (Rebello and others, "Can applications recover from fsync failures?", 2020).
   */
  async #rewriteLastBlock(): Promise<void> {
    const length = this.#durableBytes % BLOCK_BYTES;
    if (length === 0) return;
    const start = this.#durableBytes - length;
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, start);
    for (let at = 0; at < bytesRead; )
      at += await this.#io.write(this.#handle, buffer.subarray(at, bytesRead), start + at);
  }
}

export function isDiskFull(cause: unknown): boolean {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code === "ENOSPC" || code === "EDQUOT";
}
