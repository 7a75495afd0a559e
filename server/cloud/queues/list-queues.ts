import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { findProject } from "../../identity/projects/find-project";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { Queue, toQueue } from "./queue";
import { queueExample } from "./queue.example";
import { placeFields } from "./queue-fields";

export const ListQueues = z.strictObject({
  ...PageQuery.shape,
  mode: placeFields.mode,
  project: placeFields.project.describe("Only queues of this project, by its id or name"),
});

/** Lists the queues of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listQueues = operation({
  id: "listQueues",
  summary: "List queues",
  access: "queues:read",
  cost: "cheap",
  input: ListQueues,
  output: pageOf(Queue),
  example: { input: { limit: 50 }, output: examplePage(queueExample) },
  run: async (ctx: CloudCtx, input) => {
    const { db, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    const isOfOne = actor.kind === "key" || input.project !== undefined;
    const projectId = isOfOne ? (await findProject(db, actor, input.project)).id : undefined;
    return fetchPage(listScope(ctx, "queues", { mode, projectId }), input, async ({ after, take }) => {
      const rows = await db.queue.findMany({
        where: {
          ...{ tenantId: actor.tenantId, mode, deletedAt: null },
          ...(projectId !== undefined && { projectId }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      const dlqIds = rows.flatMap(({ dlqId }) => dlqId ?? []);
      const dlqs = new Map((await db.queue.findMany({ where: { id: { in: dlqIds } } })).map((dlq) => [dlq.id, dlq]));
      return rows.map((row) => toQueue({ ...row, dlq: dlqs.get(row.dlqId ?? "") ?? null }));
    });
  },
});
