import { setTimeout as sleep } from "node:timers/promises";
import { type FileLock, takeLock } from "../file-lock.mjs";
import type { ClusterPaths } from "./cluster-paths";
import { liveOwner } from "./server-owner";
import { runningServer } from "./server-pid.mjs";

const POLL_MS = 50;
const WAIT_MS = 60_000;

/** Takes the start lock of a cluster, for its owner; rejects after a minute with one sentence. */
export const waitForLock = (paths: ClusterPaths, signal?: AbortSignal): Promise<FileLock> =>
  poll(paths, () => takeLock(paths.lock), signal);

/**
 * Takes the start lock for a process that may become the owner. A live owner without a server is about to restart it or
 * to release it, so it goes first.
 */
export const waitForTurn = (paths: ClusterPaths): Promise<FileLock> =>
  poll(paths, () => {
    const lock = takeLock(paths.lock);
    if (!lock.taken) return lock;
    const pid = runningServer(paths.cluster) ? undefined : liveOwner(paths);
    if (pid === undefined) return lock;
    lock.release();
    return { taken: false, pid };
  });

async function poll(
  { lock: file }: ClusterPaths,
  take: () => ReturnType<typeof takeLock>,
  signal?: AbortSignal,
): Promise<FileLock> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    signal?.throwIfAborted();
    const lock = take();
    if (lock.taken) return lock;
    if (waitedMs >= WAIT_MS) {
      throw new Error(
        `Process ${lock.pid} has been starting or stopping Postgres for a minute (${file}): end it, then start again.`,
      );
    }
    await sleep(POLL_MS);
  }
}
