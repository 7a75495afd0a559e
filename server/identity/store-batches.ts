import type { Logger } from "pino";
import { repeat } from "../kernel/repeat";

const STORE_EVERY_MS = 2000;
/** How long a stop waits for ClickHouse; what is not stored by then is lost. */
const STOP_WAIT_MS = 2000;

interface StoredBatches {
  /** Such as "request counts", for the log. */
  what: string;
  log: Pick<Logger, "info" | "warn">;
  /** Stores the next batch; false: there is none. */
  storeNext: (signal?: AbortSignal) => Promise<boolean>;
}

/**
 * Stores batches that are collected in memory, one every two seconds, and all of them at `stop`, which never fails. A
 * batch that cannot be stored is tried again.
 */
export function storeBatches({ what, log, storeNext }: StoredBatches): { stop(): Promise<void> } {
  const loop = repeat({ everyMs: STORE_EVERY_MS, log, purpose: `store ${what}` }, async () => {
    await storeNext();
  });
  return {
    stop: async () => {
      await loop.stop();
      const deadline = AbortSignal.timeout(STOP_WAIT_MS);
      try {
        while (await storeNext(deadline));
      } catch (err) {
        log.warn({ err }, `cannot store the last ${what}`);
      }
    },
  };
}
