import { followLogText, type LogSource } from "./redacted-logs";

interface ReplyWithLogs {
  tailBytes: number;
  /** Called once. */
  onEnd: () => void;
  /** Any of them ends the reply. */
  signals: readonly (AbortSignal | undefined)[];
}

/** Server-sent events with the output of a run until it ends, as bytes. */
export function replyWithLogs(
  source: LogSource,
  { tailBytes, onEnd, signals }: ReplyWithLogs,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, ...signals.filter((one) => one !== undefined)]);
  const encoder = new TextEncoder();
  const eventOf = (data: object): Uint8Array => encoder.encode(`data: ${JSON.stringify(data)}\n\n`);
  const parts = followLogText(source, { tailBytes, signal });
  let isEnded = false;
  const end = () => {
    if (!isEnded) onEnd();
    isEnded = true;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (!done) return controller.enqueue(eventOf({ text: value }));
        if (!signal.aborted) controller.enqueue(eventOf({ ended: true }));
        controller.close();
        end();
      } catch (cause) {
        end();
        throw cause;
      }
    },
    cancel() {
      cancelled.abort();
      end();
    },
  });
}
