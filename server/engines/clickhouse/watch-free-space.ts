import { READY_FREE_BYTES_MIN } from "../data-dir";

const SAMPLE_MS = 250;
/** With less than this, writes of a merge that is still running may have failed. */
const LOW_BYTES = READY_FREE_BYTES_MIN / 4;
/** Half of the time for which the engine keeps the sources of a merge (the merge tree setting `old_parts_lifetime`). */
const RESTART_AFTER_MS = 4 * 60_000;

interface FreeSpaceWatch {
  freeBytes(): Promise<number>;
  restart(): Promise<void>;
  now?: () => number;
}

/**
 * Restarts the engine after its disk was full: as soon as there is space again, and at the latest after four minutes.
 * ClickHouse 26.7 ignores failed writes of a merge that was running when the disk became full, and commits a part whose
 * files are empty or incomplete. At its start it discards such a part and restores the sources. Returns a function that
 * ends the watch.
 */
export function watchFreeSpace({ freeBytes, restart, now = Date.now }: FreeSpaceWatch): () => void {
  let lowSince: number | undefined;
  let isRestarted = false;
  const sample = async () => {
    const free = await freeBytes();
    if (free < LOW_BYTES) lowSince ??= now();
    if (lowSince === undefined) return;
    const isOver = free >= READY_FREE_BYTES_MIN;
    // Between the two limits no merge starts, so one restart is enough.
    const isDue = !isRestarted && (isOver || now() - lowSince >= RESTART_AFTER_MS);
    if (isOver) lowSince = undefined;
    isRestarted = !isOver && (isRestarted || isDue);
    if (isDue) await restart();
  };
  let isSampling = false;
  const timer = setInterval(() => {
    if (isSampling) return;
    isSampling = true;
    // A disk that cannot be read now is read again at the next sample.
    void sample()
      .catch(() => undefined)
      .finally(() => {
        isSampling = false;
      });
  }, SAMPLE_MS);
  timer.unref();
  return () => clearInterval(timer);
}
