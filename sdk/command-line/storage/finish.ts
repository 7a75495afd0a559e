import { EXIT } from "../errors";
import type { Io } from "../io";
import type { Outcome } from "./run-transfers";
import type { Store } from "./store";

/** Runs a command; Ctrl-C before or between its transfers ends it without a trace. */
export async function untilInterrupted(
  { signal }: Pick<Store, "signal">,
  { stderr }: Io,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (failure) {
    if (!signal.aborted) throw failure;
    stderr.write("svc: interrupted.\n");
    return INTERRUPTED;
  }
}

/** What shells report for a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

/** The exit status of a command, after the last line about it. */
export function exitOf({ done, failed, isInterrupted }: Outcome, { stderr }: Io, canResume = true): number {
  if (isInterrupted) {
    const how = canResume
      ? "Run the same command again to continue: what has been transferred is kept."
      : "Standard input cannot be resumed: nothing was stored.";
    stderr.write(`svc: interrupted. ${how}\n`);
    return INTERRUPTED;
  }
  if (failed === 0) return EXIT.ok;
  if (done + failed > 1) stderr.write(`svc: ${failed} of ${done + failed} failed; run the same command again.\n`);
  return EXIT.refused;
}
