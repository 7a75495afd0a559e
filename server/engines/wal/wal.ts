import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "../../kernel/errors";
import { GroupCommit } from "../../kernel/group-commit";
import { CheckpointFile } from "./checkpoint";
import { Deliveries, type WalSlice } from "./deliveries";
import { type Damage, encodeLines, type FramedLine, frame } from "./log-lines";
import { isDiskFull, SegmentWriter } from "./segment-writer";
import { Segments } from "./segments";
import { syncFolder } from "./sync-folder";
import { lockVolume, type VolumeLock } from "./volume-lock";
import { type WalIo, walIo } from "./wal-io";

export interface WalOptions {
  /** A segment that has reached this size is followed by a new one (default 64 MiB). */
  segmentBytesMax?: number | undefined;
  /** Bytes on the disk without acknowledgement, above which appends are refused (default 1 GiB). */
  waitingBytesMax?: number | undefined;
  /** Slices that may be on their way at the same time (default 2, at most 16). */
  slicesMax?: number | undefined;
  /** How often to look, over half a second in all, while another process holds the folder (default 5). */
  lockTries?: number | undefined;
  io?: WalIo | undefined;
  /** Gets every damage as it is met, for the log; the slices name it as well. */
  onDamage?: ((damage: Damage) => void) | undefined;
}

/** Lines in memory that no write has taken yet; above it the disk is too slow. */
const QUEUED_BYTES_MAX = 64 << 20;
const LINES_PER_FLUSH_MAX = 65_536;

/**
 * A write-ahead log in one folder: lines are acknowledged when they survive a power loss (one fdatasync serves all lines
 * that arrived meanwhile) and are handed out in order, at least once, in slices with a stable token.
 *
 * Whoever inserts a slice must use its token for deduplication and keep the window of tokens longer than the number of
 * inserts a retry can fall behind. One process a folder.
 */
export class Wal {
  readonly dir: string;
  readonly #segments: Segments;
  readonly #checkpoint: CheckpointFile;
  readonly #deliveries: Deliveries;
  readonly #lock: VolumeLock;
  readonly #options: { segmentBytesMax: number; waitingBytesMax: number; io: WalIo };
  readonly #commit = new GroupCommit<FramedLine, undefined>((lines) => this.#flush(lines), {
    itemsMax: LINES_PER_FLUSH_MAX,
    waitingMax: Number.POSITIVE_INFINITY,
  });
  #active: SegmentWriter | undefined;
  #nextNumber: number;
  #queuedBytes = 0;
  #failure: unknown;
  #closed = false;

  private constructor(dir: string, opened: Opened, options: WalOptions) {
    const { segmentBytesMax = 64 << 20, waitingBytesMax = 1 << 30, io = walIo } = options;
    this.dir = dir;
    this.#lock = opened.lock;
    this.#segments = opened.segments;
    this.#checkpoint = opened.checkpoint;
    this.#deliveries = opened.deliveries;
    this.#options = { segmentBytesMax, waitingBytesMax, io };
    // A number is never used twice: tokens would repeat.
    const { done, slices } = opened.checkpoint.value;
    this.#nextNumber = Math.max(done.segment, opened.segments.lastNumber, ...slices.map(({ segment }) => segment)) + 1;
  }

  /** Opens the log of a folder, new or left by an earlier process. `conflict` when a living process holds it. */
  static async open(dir: string, options: WalOptions = {}): Promise<Wal> {
    const wal = await Wal.tryOpen(dir, options);
    if (wal) return wal;
    throw new ServiceError("conflict", `The event log in ${dir} is open in another process; give each its own folder.`);
  }

  /** Like `open`; undefined when a living process holds the folder. */
  static async tryOpen(dir: string, options: WalOptions = {}): Promise<Wal | undefined> {
    const lock = await lockVolume(dir, options.lockTries ?? 5);
    if (!lock) return undefined;
    try {
      return new Wal(dir, await openFolder(dir, lock, options), options);
    } catch (cause) {
      await lock.release();
      throw cause;
    }
  }

  /** Bytes on the disk without acknowledgement. */
  get waitingBytes(): number {
    return this.#deliveries.waitingBytes;
  }

  /** Why nothing can be appended until a restart; undefined while the log works. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Resolves when the line survives a power loss. A line holds no newline (RangeError). `unavailable` otherwise, with
   * `details.reason`: `back_pressure` (too much waits), `disk_full` or `write_failed` (the line is not stored; a retry
   * can succeed), `log_failed` (the disk cannot be trusted until a restart), `shutting_down`.
   */
  append(line: string): Promise<void> {
    if (line.includes("\n")) return Promise.reject(new RangeError("A line of the event log cannot hold a newline."));
    const framed = frame(line);
    const refusal = this.#refusal(framed.bytes);
    if (refusal) return Promise.reject(unavailable(refusal, this.#failure));
    this.#queuedBytes += framed.bytes;
    return this.#commit.add(framed);
  }

  /**
   * The next lines, about `bytesMax` of them (a longer line comes alone); undefined when none is left, or when as many
   * slices as may be are on their way. Slices come in the order of the appends and may be acknowledged in any order.
   */
  take(bytesMax = 1 << 20): Promise<WalSlice | undefined> {
    if (this.#closed) return Promise.reject(unavailable("shutting_down", undefined));
    return this.#deliveries.take(bytesMax);
  }

  /** Ends the log when accepted lines are stored; slices in hand come again at the next opening. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#commit.close();
    await this.#deliveries.settled();
    await this.#active?.close();
    await this.#checkpoint.close();
    await this.#lock.release();
  }

  /** Closes the log and removes its folder; refuses while a line is without acknowledgement. */
  async remove(): Promise<void> {
    if (this.waitingBytes > 0 || this.#queuedBytes > 0) {
      throw new ServiceError("conflict", `The event log in ${this.dir} still holds lines; deliver them first.`);
    }
    // Renamed before the lock is given up, so that nobody opens a folder that is about to vanish.
    const removed = `${this.dir}.removed-${this.#checkpoint.value.logId}`;
    await rename(this.dir, removed);
    await this.close();
    await rm(removed, { recursive: true, force: true });
  }

  #refusal(bytes: number): string | undefined {
    if (this.#closed) return "shutting_down";
    if (this.#failure) return "log_failed";
    const isQueueFull = this.#queuedBytes > 0 && this.#queuedBytes + bytes > QUEUED_BYTES_MAX;
    const onDisk = this.waitingBytes + this.#queuedBytes + bytes;
    return isQueueFull || onDisk > this.#options.waitingBytesMax ? "back_pressure" : undefined;
  }

  async #flush(lines: FramedLine[]): Promise<undefined[]> {
    try {
      if (this.#failure) throw this.#failure;
      const segment = await this.#writable();
      await segment.append(encodeLines(lines, { segment: segment.number, offset: segment.durableBytes }));
      this.#segments.grow(segment.number, segment.durableBytes);
      return lines.map(() => undefined);
    } catch (cause) {
      const reason = await this.#recover(cause);
      throw unavailable(reason, cause);
    } finally {
      for (const { bytes } of lines) this.#queuedBytes -= bytes;
    }
  }

  async #writable(): Promise<SegmentWriter> {
    if (this.#active && this.#active.durableBytes < this.#options.segmentBytesMax) return this.#active;
    await this.#leaveActive();
    const number = this.#nextNumber++;
    const file = this.#segments.fileOf(number);
    this.#active = await SegmentWriter.create(this.dir, { file, number }, this.#options.io);
    this.#segments.grow(number, 0);
    this.#segments.growing = number;
    return this.#active;
  }

  async #leaveActive(): Promise<void> {
    const active = this.#active;
    this.#active = undefined;
    this.#segments.growing = undefined;
    await active?.close();
  }

  /** Makes the log fit for the next group, or ends it for good; answers why this group was refused. */
  async #recover(cause: unknown): Promise<string> {
    try {
      if (!this.#failure && (await this.#active?.recover(cause)) === "sealed") await this.#leaveActive();
    } catch (failure) {
      this.#failure = failure;
    }
    if (this.#failure) return "log_failed";
    return isDiskFull(cause) ? "disk_full" : "write_failed";
  }
}

interface Opened {
  lock: VolumeLock;
  segments: Segments;
  checkpoint: CheckpointFile;
  deliveries: Deliveries;
}

async function openFolder(dir: string, lock: VolumeLock, options: WalOptions): Promise<Opened> {
  const { slicesMax = 2, onDamage = () => {} } = options;
  await syncFolder(path.dirname(dir));
  const segments = new Segments(dir);
  const torn = await segments.scan();
  const checkpoint = await CheckpointFile.open(dir);
  try {
    for (const damage of torn) onDamage(damage);
    const deliveries = new Deliveries(segments, checkpoint, { slicesMax, onDamage });
    await deliveries.dropMissing();
    await segments.dropBefore(checkpoint.value.done);
    return { lock, segments, checkpoint, deliveries };
  } catch (cause) {
    await checkpoint.close();
    throw cause;
  }
}

function unavailable(reason: string, cause: unknown): ServiceError {
  const sentence = "The event log did not store this; retry shortly.";
  return new ServiceError("unavailable", sentence, { retryAfterSeconds: 1, details: { reason }, cause });
}
