import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { queueBeside } from "./dlq";
import { findQueue } from "./find-queue";
import { ownerOf, queueTarget, refOf, type StoredQueue } from "./queue";
import { queueExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";
import { queueChoice } from "./queue-fields";

const REDRIVE_MAX = 1000;
const NAMED_SOURCES_MAX = 20;

/**
 * Moves waiting messages of a dead-letter queue back to where they came from, oldest first. Throws `not_found` for the
 * queue or `target`, and `conflict` if there is no target (`no_target`) or several (`several_targets`).
 */
export const redriveMessages = operation({
  id: "redriveMessages",
  summary: "Move messages of a dead-letter queue back to the queue that they came from",
  description:
    "Moves at most `max_messages` messages, oldest first, and returns how many; repeat the call until `moved` is 0. Their receive count starts again.",
  access: "queues:write",
  input: z.strictObject({
    ...queueChoice,
    target: IdText.min(1)
      .optional()
      .describe(
        "The destination queue, by id or name; default: the queue that uses this one as its dead-letter queue. Required if several do",
      ),
    max_messages: z.int().min(1).max(REDRIVE_MAX).default(REDRIVE_MAX).describe("At most 1,000 per call"),
  }),
  output: z.object({
    moved: z.int().describe("The number of moved messages; 0: none is left that can be moved now"),
    target: z.string().describe("The name of the queue that has them now"),
  }),
  example: { input: { q: "emails-failed" }, output: { moved: 17, target: queueExample.name } },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues" | "sql">, input) => {
    const from = await findQueue(ctx, input);
    const target = await targetOf(ctx, from, input.target);
    const { moved } = await ctx.queues.redrive(refOf(from), refOf(target), input.max_messages);
    if (moved > 0) {
      await ctx.db.$transaction((tx) =>
        recordAudit(tx, ctx, {
          action: "queue.redriven",
          targets: [queueTarget(from), queueTarget(target)],
          details: { moved },
        }),
      );
    }
    return { moved, target: target.name };
  },
});

async function targetOf({ db }: ActorCtx, from: StoredQueue, asked: string | undefined) {
  if (asked !== undefined) {
    const target = await queueBeside(db, ownerOf(from), { asked, param: "target" });
    if (target.id === from.id) throw noTarget("target: the messages are in this queue; name another one.", "no_target");
    return target;
  }
  const sources = await db.queue.findMany({
    where: { ...ownerOf(from), dlqId: from.id, deletedAt: null },
    orderBy: { id: "asc" },
    take: NAMED_SOURCES_MAX,
  });
  const [only] = sources;
  if (!only) throw noTarget("This is the dead-letter queue of no queue; name a target.", "no_target");
  if (sources.length === 1) return only;
  const names = sources.map(({ name }) => name);
  throw noTarget(
    `This is the dead-letter queue of several queues (${names.join(", ")}); name a target.`,
    "several_targets",
  );
}

const noTarget = (message: string, reason: string): ServiceError =>
  new ServiceError("conflict", message, { param: "target", details: { reason } });
