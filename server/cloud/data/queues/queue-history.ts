import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { HISTORY_KEPT_MS } from "./measure-queues";
import { MINUTE_MS, type QueueDepth, type QueueMinutesQuery, type QueueStep } from "./queue-minutes.sql";

const STEPS_MS = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "6h": 360 * MINUTE_MS,
} as const;
export const HistoryStep = z.enum(["1m", "5m", "15m", "1h", "6h"]);
export type HistoryStep = z.output<typeof HistoryStep>;

const PERIOD_DEFAULT_MS = 60 * MINUTE_MS;
const POINTS_MAX = 1500;

const Count = z.int().min(0);

export const QueueHistory = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime().describe("Exclusive"),
  step: HistoryStep,
  points: z
    .array(
      z.object({
        start: z.iso.datetime().describe("The start of the step, in UTC"),
        sent: Count.describe("Messages sent in the step, without duplicates"),
        received: Count.describe("Messages received in the step; a message that is received again counts again"),
        acknowledged: Count.describe("Messages acknowledged in the step"),
        waiting: Count.describe(
          "The most messages that were waiting at one of the step's measurements, one per minute",
        ),
        delayed: Count.describe("The most delayed messages at one of the step's measurements"),
        in_flight: Count.describe("The most messages in flight at one of the step's measurements"),
      }),
    )
    .describe("One for each step of the period, in order"),
});
export type QueueHistory = z.output<typeof QueueHistory>;

interface AskedHistory {
  from?: string | undefined;
  to?: string | undefined;
  step: HistoryStep;
}

/**
 * The period widened to whole steps of UTC. `to` defaults to now, `from` to an hour before. Throws `invalid_request` with
 * `param` for a time that does not parse, an empty period, one that begins more than 14 days ago or ends in the future,
 * and one of more than 1,500 steps.
 */
export function historyPeriodOf({ from, to, step }: AskedHistory, now: Date): Omit<QueueMinutesQuery, "queueId"> {
  const stepMs = STEPS_MS[step];
  const endMs = to === undefined ? now.getTime() : momentOf("to", to);
  if (endMs > now.getTime() + stepMs) throw invalid("to", "`to` must not be in the future.");
  const beginMs = from === undefined ? endMs - PERIOD_DEFAULT_MS : momentOf("from", from);
  if (beginMs >= endMs) throw invalid("from", "`from` must be before `to`; without `to` the history ends now.");
  if (beginMs < now.getTime() - HISTORY_KEPT_MS - stepMs) {
    throw invalid("from", "The history of a queue is kept for 14 days; move `from` closer.");
  }
  const [fromMs, toMs] = [Math.floor(beginMs / stepMs) * stepMs, Math.ceil(endMs / stepMs) * stepMs];
  if ((toMs - fromMs) / stepMs > POINTS_MAX) {
    throw invalid("step", `A history has at most ${POINTS_MAX} steps; choose a longer step or a shorter period.`);
  }
  return { fromMs, toMs, stepMs };
}

const Moment = z.iso.datetime({ offset: true });

function momentOf(param: "from" | "to", text: string): number {
  if (Moment.safeParse(text).success) return Date.parse(text);
  throw invalid(param, `\`${param}\` must be a date-time with an offset or Z, such as 2026-11-20T14:00:00Z.`);
}

const invalid = (param: string, sentence: string): ServiceError =>
  new ServiceError("invalid_request", sentence, { param });

const NOTHING = { sent: 0, received: 0, acknowledged: 0 };
const EMPTY: QueueDepth = { waiting: 0, delayed: 0, in_flight: 0 };

/** A point for each step. A queue without rows in a step has had as many messages as at its last measurement. */
export function historyPoints(
  steps: readonly QueueStep[],
  { fromMs, toMs, stepMs }: Omit<QueueMinutesQuery, "queueId">,
): QueueHistory["points"] {
  const byStart = new Map(steps.map((step) => [step.startMs, step]));
  let depth = steps.findLast(({ startMs }) => startMs < fromMs)?.last ?? EMPTY;
  return Array.from({ length: (toMs - fromMs) / stepMs }, (_, i) => {
    const start = fromMs + i * stepMs;
    const step = byStart.get(start);
    const { sent, received, acknowledged } = step ?? NOTHING;
    const shown = step?.highest ?? depth;
    depth = step?.last ?? depth;
    return { start: new Date(start).toISOString(), sent, received, acknowledged, ...shown };
  });
}
