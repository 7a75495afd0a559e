import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerPage } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Queue, toQueue } from "./queue";
import { queueExample } from "./queue.example";

/** Lists the queues of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listQueues = operation({
  id: "listQueues",
  summary: "List queues",
  access: "queues:read",
  input: z.strictObject(ownerPage("queues")),
  output: pageOf(Queue),
  example: { input: { limit: 50 }, output: examplePage(queueExample) },
  run: (ctx: ActorCtx, input) =>
    pageOfOwner(ctx, { list: "queues", input }, async ({ where, ...page }) => {
      const { queue: queues } = ctx.db;
      const rows = await queues.findMany({ where: { ...where, deletedAt: null }, ...page });
      const dlqIds = rows.flatMap(({ dlqId }) => dlqId ?? []);
      const dlqs = new Map((await queues.findMany({ where: { id: { in: dlqIds } } })).map((dlq) => [dlq.id, dlq]));
      return rows.map((row) => toQueue({ ...row, dlq: dlqs.get(row.dlqId ?? "") ?? null }));
    }),
});
