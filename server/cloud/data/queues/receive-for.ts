import type { QueueRef, ReceivedMessage } from "../queue-log/queue-engine";
import type { QueueCtx } from "./queue-ctx";

interface ReceiveAsk {
  messagesMax: number;
  waitMs: number;
  visibilityTimeoutMs?: number;
  /** Aborted when the client disconnects, also while the response is sent. */
  signal: AbortSignal | undefined;
}

/**
 * Receives messages for a client. The wait ends when the client disconnects and when the process begins to stop. What
 * the client did not get becomes visible again at once.
 */
export async function receiveFor(
  { queues, stopping }: Pick<QueueCtx, "queues" | "stopping">,
  queue: QueueRef,
  { signal, waitMs, ...ask }: ReceiveAsk,
): Promise<ReceivedMessage[]> {
  const waiting = new AbortController();
  const end = () => waiting.abort();
  const sources = [stopping, ...(signal ? [signal] : [])];
  // Not AbortSignal.any: it would keep an entry per request at `stopping`, which lives as long as the process.
  for (const source of sources) source.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    const messages = await queues.receive(queue, {
      ...ask,
      waitMs: stopping.aborted ? 0 : waitMs,
      signal: waiting.signal,
    });
    returnIfUndelivered({ queues, signal }, queue, messages);
    return messages;
  } catch (failure) {
    if (waiting.signal.aborted) return [];
    throw failure;
  } finally {
    for (const source of sources) source.removeEventListener("abort", end);
  }
}

/** Gives messages back when their client has gone or goes before it has the whole response. */
function returnIfUndelivered(
  { queues, signal }: Pick<QueueCtx, "queues"> & Pick<ReceiveAsk, "signal">,
  queue: QueueRef,
  messages: readonly ReceivedMessage[],
): void {
  if (!signal || messages.length === 0) return;
  const giveBack = () => {
    // If it fails, the visibility timeout does the same later.
    queues
      .giveBack(
        queue,
        messages.map(({ receipt }) => ({ receipt, delayMs: 0 })),
      )
      .catch(() => undefined);
  };
  if (signal.aborted) giveBack();
  else signal.addEventListener("abort", giveBack, { once: true });
}
