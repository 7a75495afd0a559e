import type { Logger } from "pino";
import { backoffMs } from "../../kernel/backoff";

const BACKOFF_MAX_MS = 1500;

export interface Repeating {
  /** The last round succeeded. */
  readonly isHealthy: boolean;
  /** Starts no further round and resolves when the one that runs has ended. */
  stop(): Promise<void>;
}

export interface Repeat {
  everyMs: number;
  log: Pick<Logger, "info" | "warn">;
  /** Completes "cannot …" in the log. */
  purpose: string;
}

/** Runs `round` again and again with a pause between, `atOnce` without one before the first; failures are logged when they begin and end, and tried again. */
export function repeat(
  { everyMs, log, purpose }: Repeat,
  round: () => Promise<void>,
  { atOnce = false }: { atOnce?: boolean } = {},
): Repeating {
  let failures = 0;
  let isStopped = false;
  let wake: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async () => {
    for (let isFirst = true; !isStopped; isFirst = false) {
      if (!(isFirst && atOnce))
        await pause(failures === 0 ? everyMs : everyMs + backoffMs(failures, { maxMs: BACKOFF_MAX_MS }));
      if (isStopped) return;
      try {
        await round();
        if (failures > 0) log.info({ failures }, `can ${purpose} again`);
        failures = 0;
      } catch (err) {
        if (failures++ === 0) log.warn({ err }, `cannot ${purpose}, trying again`);
      }
    }
  };
  const ended = loop();
  return {
    get isHealthy() {
      return failures === 0;
    },
    stop: () => {
      isStopped = true;
      wake();
      return ended;
    },
  };
}
