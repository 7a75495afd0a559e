import { statfs } from "node:fs/promises";
import type { Logger } from "pino";
import { ServiceError } from "../../kernel/errors";
import { type DiskLevels, diskLevels } from "./disk-levels";
import { type DiskUse, type DiskWriters, shareGrowth, takenBytes } from "./disk-writers";
import { HeldSpace } from "./held-space";

/** In blocks of `bsize` bytes. */
export type Space = Record<"blocks" | "bfree" | "bavail" | "bsize", number>;

export type SpaceOf = (dir: string) => Promise<Space>;

export interface OpenDiskSpace {
  /** The data directory; must exist. */
  dir: string;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Tests pass their own. */
  spaceOf?: SpaceOf | undefined;
  /** In milliseconds, since any time; tests pass their own. */
  elapsedMs?: (() => number) | undefined;
  /** Whether this process keeps the preallocated file; one process of a data directory does. */
  holds?: boolean | undefined;
}

/** What writes for tenants asks before it does. */
export type Room = Pick<DiskSpace, "assertRoom" | "isLow">;

const LOOK_MS_MAX = 1000;
const LOOK_MS_MIN = 20;
/** Of the disks of workloads, while there is space: what their owners free there is for others then. */
const MEASURE_MS_MAX = 15_000;
/** Faster than workloads write to the disks of one node. */
const WRITTEN_BYTES_PER_MS = (4 * 1024 ** 3) / 1000;
/** Programs that hardly write, such as those that keep a log, go on. */
const GROWTH_MIN = 1024 ** 2;
/** What a paused workload may still write, such as a call that is under way; one that writes more is ended. */
const GROWTH_MAX = 64 * 1024 ** 2;
/** Of one disk, at any time; of all together at most half of the last quarter of the reserve. */
const LEAST_GROWTH = 4 * 1024 ** 2;
const RETRY_AFTER_SECONDS = 5;

/**
 * What is free on the disk of the data directory. Below the reserve tenants' writes are refused; below half of it
 * workloads that still write are paused, and the kernel lets all of them together not grow beyond three quarters of it,
 * however fast they write. It reads what is free once a second, and more often the less is left. The disks of workloads,
 * of which there can be many, are measured only before writers could reach the reserve at 4 GiB/s.
 */
export class DiskSpace {
  readonly #options: OpenDiskSpace;
  readonly #spaceOf: SpaceOf;
  readonly #elapsedMs: () => number;
  readonly #held: HeldSpace | undefined;
  #writers: DiskWriters | undefined;
  #levels: DiskLevels;
  #freeBytes = Number.POSITIVE_INFINITY;
  /** What the disks of workloads will still take, when they were last measured; and when that is due again. */
  #unwrittenBytes = 0;
  #measureAtMs = 0;
  #measureBelowBytes = 0;
  #isLow = false;
  /** Whether workloads are paused, or an earlier process may have left some. */
  #isPausing = true;
  /** What each disk took when there was enough space. */
  #before: ReadonlyMap<string, number> | undefined;
  /** What each paused disk took at the first look after its pause; undefined: there was none yet. */
  #paused = new Map<string, number | undefined>();
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  private constructor(options: OpenDiskSpace) {
    this.#options = options;
    this.#spaceOf = options.spaceOf ?? ((dir) => statfs(dir));
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.#held = options.holds ? new HeldSpace(options.dir) : undefined;
    this.#levels = diskLevels(0);
  }

  /** Has looked once, and looks again until `stop`. */
  static async open(options: OpenDiskSpace): Promise<DiskSpace> {
    const space = new DiskSpace(options);
    await space.look();
    space.#lookLater();
    return space;
  }

  /** Free bytes at the last look, without what the disks of workloads will still take. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  get reserveBytes(): number {
    return this.#levels.reserveBytes;
  }

  /** Whether tenants' writes are refused. */
  get isLow(): boolean {
    return this.#isLow;
  }

  /**
   * Throws `unavailable` (reason `disk_full`) while only the reserve is left, or would be after a write of so many bytes.
   * Call it before a tenant's write.
   */
  assertRoom(bytes = 0): void {
    if (!this.#isLow && this.#freeBytes - bytes >= this.#levels.reserveBytes) return;
    throw new ServiceError(
      "unavailable",
      "The disk of this installation is nearly full, so that nothing new is stored. Reading, deleting and stopping still work; try again when the operator has made room.",
      { details: { reason: "disk_full" }, retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }

  /** For operators: rejects with the figures while tenants' writes are refused. */
  async checkReserve(): Promise<void> {
    await this.look();
    if (!this.#isLow) return;
    throw new ServiceError("unavailable", this.#alarm(), { details: { reason: "disk_full" } });
  }

  /** The bytes that are free for this process at present. */
  async readFreeBytes(): Promise<number> {
    const { bavail, bsize } = await this.#spaceOf(this.#options.dir);
    return bavail * bsize;
  }

  /** Pauses these workloads when they use up the reserve; returns a function that ends that. */
  follow(writers: DiskWriters): () => void {
    this.#writers = writers;
    return () => {
      if (this.#writers === writers) this.#writers = undefined;
    };
  }

  /** Reads what is free, measures the disks of workloads if that is due, and acts on both. */
  async glance(): Promise<void> {
    if (this.#isLow || this.#isPausing || this.#elapsedMs() >= this.#measureAtMs) return this.look();
    const { bavail, bsize } = await this.#spaceOf(this.#options.dir);
    const freeBytes = bavail * bsize - this.#unwrittenBytes;
    if (freeBytes < this.#measureBelowBytes) return this.look();
    this.#freeBytes = freeBytes;
  }

  /** Reads what is free, measures the disks of workloads, and acts on both. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Gives a disk that has just been made its share of what is free, once the others are known to leave it. */
  async admit(disk: string): Promise<void> {
    const use = (await this.#writers?.measure())?.find((one) => one.disk === disk);
    if (use) await this.#writers?.limit([{ ...use, growthBytes: 0 }]);
    await this.#looking?.catch(() => undefined);
    await this.look();
    await this.look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking?.catch(() => undefined);
  }

  async #look(): Promise<void> {
    // In this order: what reaches the disk meanwhile is then counted twice instead of not at all.
    const uses = (await this.#writers?.measure().catch(() => [])) ?? [];
    const { blocks, bsize, bavail } = await this.#spaceOf(this.#options.dir);
    this.#levels = diskLevels(blocks * bsize);
    this.#unwrittenBytes = uses.reduce((sum, use) => sum + takenBytes(use) - use.storedBytes, 0);
    this.#freeBytes = bavail * bsize - this.#unwrittenBytes;
    this.#note();
    const aboveReserve = this.#freeBytes - this.#levels.reserveBytes;
    this.#measureAtMs = this.#elapsedMs() + Math.min(MEASURE_MS_MAX, aboveReserve / WRITTEN_BYTES_PER_MS);
    this.#measureBelowBytes = this.#freeBytes - aboveReserve / 2;
    if (bavail * bsize < this.#levels.releaseBytes) await this.#held?.release();
    else if (!this.#isLow) await this.#held?.hold(this.#levels.heldBytes);
    const { limitBytes } = this.#levels;
    const leastBytes = Math.min(LEAST_GROWTH, Math.floor(limitBytes / 2 / Math.max(1, uses.length)));
    await this.#writers?.limit(shareGrowth(uses, { bytes: this.#freeBytes - limitBytes, leastBytes }));
    await this.#pauseOrResume(uses);
  }

  #note(): void {
    const { reserveBytes, acceptBytes } = this.#levels;
    const isLow = this.#freeBytes < (this.#isLow ? acceptBytes : reserveBytes);
    if (isLow && !this.#isLow) this.#options.log.error({ alarm: "disk_reserve" }, this.#alarm());
    if (!isLow && this.#isLow) this.#options.log.info("the disk has space again: tenants' writes are accepted");
    this.#isLow = isLow;
  }

  async #pauseOrResume(uses: readonly DiskUse[]): Promise<void> {
    const taken = new Map(uses.map((use) => [use.disk, takenBytes(use)]));
    const writers = this.#writers;
    if (!writers) return;
    if (this.#freeBytes >= this.#levels.pauseBytes) this.#before = taken;
    if (!this.#isLow && this.#isPausing) {
      await writers.resume();
      this.#isPausing = false;
      this.#paused.clear();
    }
    if (this.#freeBytes >= this.#levels.pauseBytes) return;
    this.#before ??= taken;
    const grown = [...taken].filter(([disk, bytes]) => bytes - (this.#before?.get(disk) ?? 0) > GROWTH_MIN);
    if (grown.length === 0) return;
    this.#isPausing = true;
    const isNew = grown.some(([disk]) => !this.#paused.has(disk));
    if (isNew) this.#options.log.warn({ disks: grown.length }, "workloads that fill the disk are paused");
    // Again at each look: a program may have been started while the others were stopped.
    await writers.pause(grown.map(([disk]) => disk));
    const unstopped = grown.filter(([disk, bytes]) => bytes - (this.#paused.get(disk) ?? bytes) > GROWTH_MAX);
    // What was measured at this look does not have what was written until the pause took effect.
    for (const [disk, bytes] of grown)
      this.#paused.set(disk, this.#paused.has(disk) ? (this.#paused.get(disk) ?? bytes) : undefined);
    if (unstopped.length > 0) await writers.end(unstopped.map(([disk]) => disk));
  }

  #alarm(): string {
    const [free, reserve] = [this.#freeBytes, this.#levels.reserveBytes].map((bytes) => Math.floor(bytes / 1024 ** 2));
    return `The disk of the data directory has ${free} MiB left, of which svc keeps ${reserve} MiB for itself: tenants' writes are refused until there is more. Free some, or enlarge it.`;
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    const left = (this.#freeBytes - this.#levels.pauseBytes) / WRITTEN_BYTES_PER_MS;
    const soonest = this.#writers ? LOOK_MS_MIN : LOOK_MS_MAX / 4;
    this.#timer = setTimeout(
      () => {
        // A disk that cannot be read now is read again at the next look.
        void this.glance()
          .catch(() => undefined)
          .finally(() => this.#lookLater());
      },
      Math.min(LOOK_MS_MAX, Math.max(soonest, left)),
    );
    this.#timer.unref();
  }
}
