import type { ProgressDisplay } from "./progress";
import { forEachParallel } from "./slots";
import type { Store } from "./store";
import { errorOf, type Meter, type Transfer, type TransferResult } from "./transfer";

export interface Outcome {
  done: number;
  failed: number;
  isInterrupted: boolean;
}

/** Runs transfers in parallel and reports each; a failed one does not stop the others. */
export async function runTransfers(
  transfers: readonly Transfer[],
  { parallel, signal }: Pick<Store, "parallel" | "signal">,
  display: ProgressDisplay,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failed: 0, isInterrupted: false };
  display.begin(transfers);
  try {
    await forEachParallel(transfers, parallel, async (transfer) => {
      if (signal.aborted) return;
      const meter = display.start(transfer);
      const result = await resultOf(transfer, meter, signal);
      if (result.status === "done") outcome.done++;
      if (result.status === "failed") outcome.failed++;
      display.end(transfer, result);
    });
  } finally {
    display.close();
  }
  outcome.isInterrupted = signal.aborted;
  return outcome;
}

async function resultOf(transfer: Transfer, meter: Meter, signal: AbortSignal): Promise<TransferResult> {
  const { action, from, to, size } = transfer;
  const facts = { action, from, ...(to === undefined ? {} : { to }), size };
  try {
    return { ...facts, status: "done", etag: await transfer.run(meter) };
  } catch (failure) {
    return signal.aborted
      ? { ...facts, status: "interrupted" }
      : { ...facts, status: "failed", error: errorOf(failure) };
  }
}
