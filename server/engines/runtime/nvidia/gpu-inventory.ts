import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type GpuDriver, NODE_DRIVER } from "./gpu-driver";
import { type DetectedGpu, readGpus } from "./read-gpus";

export interface GpuInventoryParts {
  driver?: GpuDriver | undefined;
  /** How often they are read; default 15 s. */
  everyMs?: number | undefined;
  log: Pick<Logger, "warn">;
}

const EVERY_MS = 15_000;
const WAIT_MS = 2000;
/** The driver does not respond to nvidia-smi when a GPU has failed in some ways. */
const STALE_MS = 60_000;

/** The GPUs of this node as they were a few seconds ago. */
export class GpuInventory {
  #gpus: DetectedGpu[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(readonly parts: GpuInventoryParts) {}

  /** None if they cannot be read. Never rejects, and waits for at most 2 s. */
  async gpus(): Promise<DetectedGpu[]> {
    const { everyMs = EVERY_MS } = this.parts;
    if (performance.now() - this.#readAt >= everyMs) {
      this.#reading ??= this.#read();
      const late = new AbortController();
      await Promise.race([this.#reading, sleep(WAIT_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
    }
    return performance.now() - this.#readAt < everyMs + STALE_MS ? this.#gpus : [];
  }

  async #read(): Promise<void> {
    const { driver = NODE_DRIVER, log } = this.parts;
    try {
      this.#gpus = await readGpus(driver);
    } catch (err) {
      log.warn({ err }, "the GPUs of this node cannot be read, so none is offered");
      this.#gpus = [];
    }
    this.#readAt = performance.now();
    this.#reading = undefined;
  }
}
