import { readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DiskUse } from "../disk-space/disk-writers";
import type { WorkloadWriters } from "./runtime";

export interface WritingWorkloads {
  /** Absolute; has one folder per workload. */
  dir: string;
  /** The bytes that the files of each running workload take at present. It may take long. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /** To every process of a workload. */
  signal(id: string, signal: NodeJS.Signals): Promise<void>;
  kill(id: string): Promise<void>;
}

/** Between two measurements, and at least as long as one takes. */
const REST_MS_MIN = 250;

/**
 * The workloads of a runtime whose files are not on disks of their own: what each has written can only be found by adding
 * up its files. That is done while the disk of the node is nearly full, one measurement after the other, and a workload
 * counts with what it has written since it began; the kernel limits nothing.
 */
export class WorkloadGrowth implements WorkloadWriters {
  readonly #workloads: WritingWorkloads;
  readonly #space: { readonly isLow: boolean };
  /** Of the first measurement since the disk became nearly full. */
  #first: ReadonlyMap<string, number> | undefined;
  #grown: readonly DiskUse[] = [];
  #measuring: Promise<void> | undefined;
  /** Changes when workloads are paused: a measurement that began before does not know what they wrote until then. */
  #pauses = 0;

  constructor(workloads: WritingWorkloads, space: { readonly isLow: boolean }) {
    this.#workloads = workloads;
    this.#space = space;
  }

  /** What the last measurement has found; each workload is a disk. */
  async measure(): Promise<readonly DiskUse[]> {
    if (!this.#space.isLow) {
      this.#first = undefined;
      this.#grown = [];
      return [];
    }
    this.#measuring ??= this.#measure()
      // It is tried again at the next look.
      .catch(() => undefined)
      .finally(() => {
        this.#measuring = undefined;
      });
    return this.#grown;
  }

  async limit(): Promise<void> {}

  async pause(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      // Before the signal: whatever happens then, `resume` finds it. A workload that was removed has no folder.
      const isThere = await writeFile(this.#pausedFile(id), "", { mode: 0o600 }).then(
        () => true,
        () => false,
      );
      if (isThere) await this.#workloads.signal(id, "SIGSTOP");
    }
    this.#pauses++;
    this.#grown = this.#grown.filter(({ disk }) => !ids.includes(disk));
  }

  async end(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#workloads.kill(id);
  }

  async resume(): Promise<void> {
    for (const id of await this.paused()) {
      await this.#workloads.signal(id, "SIGCONT");
      await rm(this.#pausedFile(id), { force: true });
    }
  }

  async paused(): Promise<string[]> {
    const ids = (await readdir(this.#workloads.dir).catch(() => [])).filter((name) => !name.startsWith("."));
    const arePaused = await Promise.all(ids.map((id) => this.isPaused(id)));
    return ids.filter((_, i) => arePaused[i]);
  }

  isPaused(id: string): Promise<boolean> {
    return stat(this.#pausedFile(id)).then(
      () => true,
      () => false,
    );
  }

  async #measure(): Promise<void> {
    const [beganAt, pauses] = [performance.now(), this.#pauses];
    const sizes = await this.#workloads.sizes();
    this.#first ??= sizes;
    const first = this.#first;
    if (pauses === this.#pauses) this.#grown = [...sizes].map(([id, bytes]) => useOf(id, bytes - (first.get(id) ?? 0)));
    await sleep(Math.max(REST_MS_MIN, performance.now() - beganAt), undefined, { ref: false });
  }

  #pausedFile(id: string): string {
    return path.join(this.#workloads.dir, id, "paused");
  }
}

const useOf = (disk: string, bytes: number): DiskUse => ({
  disk,
  usedBytes: bytes,
  storedBytes: bytes,
  freeBytes: 0,
  allowedBytes: 0,
});
