import type { Pool } from "pg";
import { pause } from "../../../kernel/pause";
import { toLogLine } from "./edge-log-line";
import { type LogLineRow, nextLogLines } from "./edge-logs.sql";

const LOOK_MS = 400;
const LINES_MAX = 500;

interface ReplyWithLines {
  edgeId: string;
  /** Sent at once. */
  kept: readonly LogLineRow[];
  /** Called once. */
  onEnd: () => void;
  /** Any of them ends the reply. */
  signals: readonly (AbortSignal | undefined)[];
}

/** Server-sent events with log lines as they arrive, as bytes. */
export function replyWithLines(
  sql: Pool,
  { edgeId, kept, onEnd, signals }: ReplyWithLines,
): ReadableStream<Uint8Array> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, ...signals.filter((one) => one !== undefined)]);
  if (signal.aborted) onEnd();
  else signal.addEventListener("abort", onEnd, { once: true });
  const encoder = new TextEncoder();
  let lines = kept;
  let after = "0";
  const next = () =>
    nextLogLines(sql, { edgeId, after, max: LINES_MAX }).catch((failure: unknown) => {
      cancelled.abort();
      throw failure;
    });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (lines.length === 0 && !signal.aborted) {
        await pause(LOOK_MS, signal);
        lines = signal.aborted ? [] : await next();
      }
      after = lines.at(-1)?.id ?? after;
      const events = lines.map((line) => `data: ${JSON.stringify(toLogLine(line))}\n\n`);
      lines = [];
      if (events.length > 0) controller.enqueue(encoder.encode(events.join("")));
      if (signal.aborted) controller.close();
    },
    cancel: () => cancelled.abort(),
  });
}
