import { OPERATIONS } from "../../generated/operations";
import type { Page } from "../../operation";
import { sleep } from "../../sleep";
import type { connect } from "../connect";
import { EXIT } from "../errors";
import type { Io, Output } from "../io";
import type { Item } from "../print-table";
import { cellText, fitText } from "../terminal-text";

/** `ready`: the process runs, or has run; `ended`: the pod has no current run. */
export type WatchedUntil = "ready" | "ended";

export interface WatchPod {
  io: Io;
  call: ReturnType<typeof connect>;
  until: WatchedUntil;
  /** Where events are printed. */
  output: Output;
  asJson: boolean;
  /** Only events of this run and later ones. Default: all. */
  fromRun?: number;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
}

interface WatchedPod extends Item {
  status: string;
}

interface PodEvent {
  id: string;
  type: string;
  run: number;
  message: string;
  at: string;
}

const POLL_MS = 1000;
/** What a pod waits for is asked for at every fifth look. */
const EXPLAIN_EVERY = 5;
const EVENTS_PER_PAGE = 100;
const TYPE_WIDTH = 17;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const INTERRUPTED = 130;
const ENDED = new Set(["stopped", "completed", "failed"]);

/**
 * Prints what happens to a pod until it has the status that is waited for. The exit status is 0, or 1 for a pod that
 * failed, or that ended before it was ready otherwise than by the end of its program, or 130 after Ctrl-C.
 */
export async function watchPod(id: string, watch: WatchPod): Promise<number> {
  const { io, stop } = watch;
  const pause = io.timing?.sleep ?? sleep;
  const line = new StatusLine(io.stderr);
  let seen = 0;
  try {
    for (let look = 0; ; look++) {
      // Before its events, so that those that led to its status are among them.
      const pod = (await watch.call(OPERATIONS.getPod, { id }, {})) as WatchedPod;
      const events = await newEvents(watch, id, seen);
      line.clear();
      for (const event of events) print(event, watch);
      seen = Number(events.at(-1)?.id ?? seen);
      const status = exitStatusOf(pod.status, watch.until);
      if (status !== undefined) return status;
      if (look % EXPLAIN_EVERY === 0) line.text = await summaryOf(pod, watch, id);
      line.show();
      await pause(POLL_MS, stop);
    }
  } catch (failure) {
    if (stop.aborted) return INTERRUPTED;
    throw failure;
  } finally {
    line.clear();
  }
}

function exitStatusOf(status: string, until: WatchedUntil): number | undefined {
  if (status === "failed") return EXIT.refused;
  if (until === "ended") return ENDED.has(status) ? EXIT.ok : undefined;
  if (status === "ready" || status === "completed") return EXIT.ok;
  return status === "stopped" ? EXIT.refused : undefined;
}

/** The events after one, the oldest first. */
async function newEvents({ call, fromRun = 1 }: WatchPod, id: string, after: number): Promise<PodEvent[]> {
  const found: PodEvent[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = { id, limit: EVENTS_PER_PAGE, ...(cursor !== undefined && { cursor }) };
    const list = call(OPERATIONS.listPodEvents, asked, {}) as unknown as { page(): Promise<Page<PodEvent>> };
    const page: Page<PodEvent> = await list.page();
    const fresh = page.data.filter((event) => Number(event.id) > after && event.run >= fromRun);
    found.push(...fresh);
    cursor = fresh.length < page.data.length ? null : page.next_cursor;
  }
  return found.reverse();
}

function print(event: PodEvent, { output, asJson }: WatchPod): void {
  const { at, type, message } = event;
  if (asJson) output.write(`${JSON.stringify(event)}\n`);
  else output.write(`${cellText(at)}  ${fitText(cellText(type), TYPE_WIDTH)}  ${cellText(message)}\n`);
}

interface Explanation {
  expected_wait: { seconds: number } | null;
  queue_position: number | null;
}

/** What a person who waits wants to know at present. */
async function summaryOf({ status }: WatchedPod, { call, io }: WatchPod, id: string): Promise<string> {
  if (!io.stderr.isTTY || status !== "pending") return status;
  const explained = (await call(OPERATIONS.explainPod, { id }, {})) as Explanation;
  const { expected_wait: wait, queue_position: position } = explained;
  const parts = [
    status,
    ...(position === null ? [] : [`position ${position} in the queue`]),
    ...(wait === null ? [] : [`expected wait about ${durationText(wait.seconds)}`]),
  ];
  return parts.join(", ");
}

function durationText(seconds: number): string {
  if (seconds < 2 * MINUTE_SECONDS) return `${seconds} s`;
  if (seconds < 2 * HOUR_SECONDS) return `${Math.round(seconds / MINUTE_SECONDS)} min`;
  return `${Math.round(seconds / HOUR_SECONDS)} h`;
}

/** The last line of a terminal, which is written over. */
class StatusLine {
  text = "";

  constructor(readonly output: Io["stderr"]) {}

  show(): void {
    if (!this.output.isTTY || this.text === "") return;
    this.output.write(`\r\u001b[K${fitText(this.text, (this.output.columns ?? this.text.length + 1) - 1).trimEnd()} …`);
  }

  clear(): void {
    if (this.output.isTTY && this.text !== "") this.output.write("\r\u001b[K");
  }
}
