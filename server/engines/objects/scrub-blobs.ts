import { setTimeout as sleep } from "node:timers/promises";
import { checkContent } from "./blob-errors";
import type { BlobStore } from "./blob-store";

/** Shorter pauses are saved up. */
const PAUSE_MIN_MS = 20;

export interface Scrub {
  /** Average rate of reading. */
  bytesPerSecond: number;
  /** Between chunks and blobs: the rest is not read. */
  signal?: AbortSignal | undefined;
  pause?: ((ms: number) => Promise<unknown>) | undefined;
}

export interface ScrubResult {
  name: string;
  state: "ok" | "damaged" | "missing";
}

/**
 * Reads blobs at a bounded rate and yields what was found of each, in order. Throws the errors of an engine that is
 * away, and the signal's reason.
 */
export async function* scrubBlobs(
  blobs: Pick<BlobStore, "read">,
  entries: AsyncIterable<{ name: string; size: number }>,
  { bytesPerSecond, signal, pause = (ms) => sleep(ms, undefined, signal ? { signal } : {}) }: Scrub,
): AsyncIterable<ScrubResult> {
  let owedMs = 0;
  const pace = async (bytes: number) => {
    owedMs += (bytes * 1000) / bytesPerSecond;
    if (owedMs >= PAUSE_MIN_MS) {
      await pause(owedMs);
      owedMs = 0;
    }
    signal?.throwIfAborted();
  };
  for await (const { name, size } of entries) {
    signal?.throwIfAborted();
    yield { name, state: await checkContent(blobs.read(name, { size }), pace) };
  }
}
