import type { Logger } from "pino";
import { backoffMs } from "./backoff";
import { pause } from "./pause";

const BACKOFF_MAX_MS = 1500;

export interface Repeating {
  /** The last round succeeded. */
  readonly isHealthy: boolean;
  /** Resolves after `stop`, when the last round has ended. */
  readonly ended: Promise<void>;
  /** Starts no further round and resolves when the running one has ended. */
  stop(): Promise<void>;
}

export interface Repeat {
  /** The pause between two rounds. */
  everyMs: number;
  log: Pick<Logger, "info" | "warn">;
  /** Completes "cannot …" in the log. */
  purpose: string;
}

export interface RepeatOptions {
  /** No pause before the first round. */
  atOnce?: boolean;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  wait?: typeof pause;
}

/**
 * Runs `round` in the background until `stop`, with a pause between rounds; if a round resolves to `true`, it has more
 * to do and the next one follows at once. Failures are logged when they begin and end, and retried after a longer
 * pause.
 */
export function repeat(
  { everyMs, log, purpose }: Repeat,
  round: (stopping: AbortSignal) => Promise<unknown>,
  { atOnce = false, wait = pause }: RepeatOptions = {},
): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
  const tryRound = async (): Promise<boolean> => {
    try {
      const hasMore = (await round(signal)) === true;
      if (failures > 0) log.info({ failures }, `can ${purpose} again`);
      failures = 0;
      return hasMore;
    } catch (err) {
      if (failures++ === 0) log.warn({ err }, `cannot ${purpose}, retrying`);
      return false;
    }
  };
  const loop = async () => {
    for (let hasMore = atOnce; !signal.aborted; hasMore = await tryRound()) {
      if (!hasMore)
        await wait(failures === 0 ? everyMs : everyMs + backoffMs(failures, { maxMs: BACKOFF_MAX_MS }), signal);
      if (signal.aborted) return;
    }
  };
  const ended = loop();
  return {
    get isHealthy() {
      return failures === 0;
    },
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
