import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "../../kernel/errors";
import { GroupCommit } from "../../kernel/group-commit";
import { CheckpointFile } from "./checkpoint";
import { Deliveries, type WalSlice } from "./deliveries";
import { DeliveryJournal } from "./delivery-journal";
import { type Damage, encodeLines, type FramedLine, frame } from "./log-lines";
import { isDiskFull, SegmentWriter } from "./segment-writer";
import { Segments } from "./segments";
import { syncFolder } from "./sync-folder";
import { type WalIo, walIo } from "./wal-io";

export interface WalOptions {
  /**
   * A segment that has reached this size is followed by a new one (default 64 MiB, at most an eighth of
   * `waitingBytesMax`).
   */
  segmentBytesMax?: number | undefined;
  /** Unacknowledged bytes on the disk above which appends are rejected (default 1 GiB). */
  waitingBytesMax?: number | undefined;
  /** Maximum number of slices in flight (default 2, at most 16). */
  slicesMax?: number | undefined;
  io?: WalIo | undefined;
  /** Receives every damage when it is found, for the log; the slices list it too. */
  onDamage?: ((damage: Damage) => void) | undefined;
}

/** Bytes of lines in memory that are not being written yet; above this size the disk is too slow. */
const QUEUED_BYTES_MAX = 64 << 20;
const LINES_PER_FLUSH_MAX = 65_536;
const PROBE_BYTES = 65_536;

/**
 * A write-ahead log in one folder: lines are acknowledged when they would survive a power loss (one fdatasync serves
 * all lines that arrived meanwhile) and are returned in order, at least once, in slices with a stable token. A consumer
 * that inserts a slice must use its token for deduplication and keep the window of tokens longer than the number of
 * inserts by which a retry can be late. Only one process may open a folder: the lock of the data directory ensures it.
 */
export class Wal {
  readonly dir: string;
  readonly #segments: Segments;
  readonly #checkpoint: CheckpointFile;
  readonly #deliveries: Deliveries;
  readonly #options: { segmentBytesMax: number; waitingBytesMax: number; io: WalIo };
  readonly #commit = new GroupCommit<FramedLine, undefined>((lines) => this.#flush(lines), {
    itemsMax: LINES_PER_FLUSH_MAX,
    waitingMax: Number.POSITIVE_INFINITY,
  });
  #active: SegmentWriter | undefined;
  #nextNumber: number;
  #queuedBytes = 0;
  #failure: unknown;
  /** Why the last write failed. */
  #refused: string | undefined;
  #closed = false;

  private constructor(dir: string, opened: Opened, options: WalOptions) {
    const { waitingBytesMax = 1 << 30, io = walIo } = options;
    // A segment is removed as a whole: large ones would keep much more on the disk than the waiting lines.
    const { segmentBytesMax = Math.min(64 << 20, Math.ceil(waitingBytesMax / 8)) } = options;
    this.dir = dir;
    this.#segments = opened.segments;
    this.#checkpoint = opened.checkpoint;
    this.#deliveries = opened.deliveries;
    this.#options = { segmentBytesMax, waitingBytesMax, io };
    // A number is not used twice, so that tokens of earlier versions, which contain the log's id and not the segment's,
    // do not repeat.
    const { done, slices } = opened.checkpoint.value;
    this.#nextNumber = Math.max(done.segment, opened.segments.lastNumber, ...slices.map(({ segment }) => segment)) + 1;
  }

  /** Opens the log of a folder, new or left by an earlier process. */
  static async open(dir: string, options: WalOptions = {}): Promise<Wal> {
    await createFolder(dir);
    return new Wal(dir, await openFolder(dir, options), options);
  }

  /** Unacknowledged bytes on the disk. */
  get waitingBytes(): number {
    return this.#deliveries.waitingBytes;
  }

  /** Bytes that may wait before appends are rejected. */
  get waitingBytesMax(): number {
    return this.#options.waitingBytesMax;
  }

  /** How full the log is, from 0 to 1, where appends are rejected. */
  get fill(): number {
    return (this.waitingBytes + this.#queuedBytes) / this.#options.waitingBytesMax;
  }

  /** Why nothing can be appended until a restart; undefined while the log works. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Rejects with `unavailable` above the share at which facts are dropped. */
  async checkRoom(fillMax: number): Promise<void> {
    if (this.fill >= fillMax) throw notWritable("back_pressure", undefined);
  }

  /**
   * Rejects with `unavailable` and the same `details.reason` as `append` while the disk accepts no lines; resolves if
   * the log is only full of waiting lines. After a failed write, it writes a file next to the segments to find out
   * whether there is space again.
   */
  async checkWritable(): Promise<void> {
    const refusal = this.#refusal(1);
    if (refusal && refusal !== "back_pressure") throw notWritable(refusal, this.#failure);
    if (this.#refused === undefined) return;
    const file = path.join(this.dir, "probe");
    try {
      await writeFile(file, Buffer.alloc(PROBE_BYTES, " "), { flush: true });
      this.#refused = undefined;
    } catch (cause) {
      throw notWritable(this.#refused ?? "write_failed", cause);
    } finally {
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /**
   * Resolves when the line would survive a power loss. A line must not contain a newline (RangeError). Otherwise
   * `unavailable`, with `details.reason`: `back_pressure` (too much waits), `disk_full` or `write_failed` (the line is
   * not stored; a retry can succeed), `log_failed` (the disk cannot be trusted until a restart), `shutting_down`.
   */
  append(line: string): Promise<void> {
    if (line.includes("\n")) return Promise.reject(new RangeError("A line of the event log cannot contain a newline."));
    const framed = frame(line);
    const refusal = this.#refusal(framed.bytes);
    if (refusal) return Promise.reject(unavailable(refusal, this.#failure));
    this.#queuedBytes += framed.bytes;
    return this.#commit.add(framed);
  }

  /**
   * The next lines, about `bytesMax` of them (a longer line comes alone); undefined if none is left, or if the maximum
   * number of slices is in flight. Slices come in the order of the appends and may be acknowledged in any order.
   */
  take(bytesMax = 1 << 20): Promise<WalSlice | undefined> {
    if (this.#closed) return Promise.reject(unavailable("shutting_down", undefined));
    return this.#deliveries.take(bytesMax);
  }

  /** Closes the log when accepted lines are stored; unacknowledged slices are returned again at the next opening. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#commit.close();
    await this.#deliveries.idle();
    await this.#active?.close();
    await this.#checkpoint.close();
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
      this.#refused = undefined;
      return lines.map(() => undefined);
    } catch (cause) {
      const reason = await this.#recover(cause);
      this.#refused = reason;
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

  /** Makes the log usable for the next group, or marks it as failed; returns why this group was rejected. */
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
  segments: Segments;
  checkpoint: CheckpointFile;
  deliveries: Deliveries;
}

/** Until the folder's own name is on the disk, the folder and its lines would disappear after a power loss. */
async function createFolder(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true });
  await syncFolder(path.dirname(dir));
  if (first !== undefined && first !== dir) await syncFolder(path.dirname(first));
}

async function openFolder(dir: string, options: WalOptions): Promise<Opened> {
  const { slicesMax = 2, onDamage = () => {}, io = walIo } = options;
  const segments = new Segments(dir, io);
  const torn = await segments.scan();
  const { checkpoint, isNew } = await CheckpointFile.open(dir);
  try {
    for (const damage of torn) onDamage(damage);
    if (isNew && segments.numbers.length > 0) onDamage({ segment: 0, offset: 0, bytes: 0, reason: "checkpoint" });
    const journal = await DeliveryJournal.open(dir, segments.numbers, io);
    const deliveries = new Deliveries(segments, { checkpoint, journal }, { slicesMax, onDamage });
    await deliveries.reconcile();
    return { segments, checkpoint, deliveries };
  } catch (cause) {
    await checkpoint.close();
    throw cause;
  }
}

function unavailable(reason: string, cause: unknown): ServiceError {
  const sentence = "The event log did not store this; retry shortly.";
  return new ServiceError("unavailable", sentence, { retryAfterSeconds: 1, details: { reason }, cause });
}

const notWritable = (reason: string, cause: unknown): ServiceError =>
  new ServiceError("unavailable", `The write-ahead file accepts no lines (${reason}).`, { details: { reason }, cause });
