import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../kernel/backoff";
import { ClaimSession } from "./session-claim";

/** Every svc process that keeps its counters in memory claims this name. */
const NAME = "single-process";
/** The connection of a process that has just been killed may stay open slightly longer than the process. */
const PATIENCE_MS = 2000;
const POLL_MS = 50;

export interface SingleProcess {
  release(): Promise<void>;
}

export interface ClaimSingleProcess {
  /** Another process took the claim while this one was disconnected from the database. */
  onLost?: (() => void) | undefined;
}

/**
 * Claims to be the only svc process on this database, which in-process counters require; undefined if another process
 * is. The claim is taken again whenever its connection was lost.
 */
export async function claimSingleProcess(
  url: string,
  { onLost }: ClaimSingleProcess = {},
): Promise<SingleProcess | undefined> {
  let released = false;
  let session = await claim(url);
  if (!session) return undefined;

  const watch = (held: ClaimSession) => held.signal.addEventListener("abort", () => void reclaim());
  const reclaim = async () => {
    for (let attempt = 0; !released; attempt++) {
      await sleep(backoffMs(attempt), undefined, { ref: false });
      const outcome = await claim(url).catch(() => "unavailable" as const);
      if (outcome === "unavailable") continue;
      if (!outcome) return released ? undefined : onLost?.();
      session = outcome;
      if (released) await outcome.close();
      else watch(outcome);
      return;
    }
  };
  watch(session);
  return {
    release: async () => {
      released = true;
      await session?.close();
    },
  };
}

async function claim(url: string): Promise<ClaimSession | undefined> {
  const session = await ClaimSession.open(url);
  try {
    for (let waitedMs = 0; waitedMs <= PATIENCE_MS; waitedMs += POLL_MS) {
      if (await session.take(NAME)) return session;
      await sleep(POLL_MS);
    }
  } catch (cause) {
    await session.close();
    throw cause;
  }
  await session.close();
  return undefined;
}
