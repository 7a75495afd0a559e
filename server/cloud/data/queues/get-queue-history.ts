import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { findQueue } from "./find-queue";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";
import { HistoryStep, historyPeriodOf, historyPoints, QueueHistory } from "./queue-history";
import { readQueueSteps } from "./queue-minutes.sql";

/** Returns what happened in a queue over time. Throws `not_found`, and `invalid_request` as `historyPeriodOf`. */
export const getQueueHistory = operation({
  id: "getQueueHistory",
  summary: "Get the depth of a queue and its messages over time",
  description:
    "For each step of the period: how many messages were sent, received and acknowledged, and how many the queue had. Figures are measured once a minute while the queue has messages and after each use, and appear within 15 seconds. They are kept for 14 days. `from` and `to` in the response are widened to whole steps. Counts are statistics: a process that is killed loses those of its last seconds.",
  access: "queues:read",
  cost: "report",
  input: z.strictObject({
    ...queueChoice,
    from: z.string().max(40).optional().describe("Date-time. Default: an hour before `to`; at most 14 days ago"),
    to: z.string().max(40).optional().describe("Date-time, exclusive. Default: now"),
    step: HistoryStep.default("1m").describe("The length of a step; a history has at most 1,500 steps"),
  }),
  output: QueueHistory,
  example: {
    input: { q: queueExample.name, from: EXAMPLE_TIME, to: "2026-11-20T09:01:00.000Z" },
    output: {
      from: EXAMPLE_TIME,
      to: "2026-11-20T09:01:00.000Z",
      step: "1m",
      points: [
        {
          start: EXAMPLE_TIME,
          sent: 120,
          received: 118,
          acknowledged: 117,
          waiting: 12,
          delayed: 0,
          in_flight: 3,
        },
      ],
    },
  },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "sql">, input) => {
    const period = historyPeriodOf(input, ctx.clock.now());
    const { id: queueId } = await findQueue(ctx, input);
    const steps = await readQueueSteps(ctx.sql, { queueId, ...period });
    return {
      from: new Date(period.fromMs).toISOString(),
      to: new Date(period.toMs).toISOString(),
      step: input.step,
      points: historyPoints(steps, period),
    };
  },
});
