import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { listQueues } from "./list-queues";
import { figuresOf, type Queue, QueueWithFigures, refOf } from "./queue";
import { queueWithFiguresExample } from "./queue.example";
import type { QueueCtx } from "./queue-ctx";

const LISTED_MAX = 100;

const ListedQueue = QueueWithFigures.extend({
  figures: QueueWithFigures.shape.figures.nullable().describe("null if they are not available at the moment"),
});
type ListedQueue = z.output<typeof ListedQueue>;

/** Lists queues as `listQueues` does, each with its figures, for the dashboard. */
export const listQueueFigures = operation({
  id: "listQueueFigures",
  summary: "List queues with how many messages they have",
  access: "queues:read",
  input: listQueues.input.extend({
    limit: z.coerce.number().int().min(1).max(LISTED_MAX).default(LISTED_MAX),
  }),
  output: pageOf(ListedQueue),
  example: { input: { limit: 50 }, output: examplePage(queueWithFiguresExample) },
  run: async (ctx: ActorCtx & Pick<QueueCtx, "queues">, input) => {
    const { data, next_cursor } = await listQueues.run(ctx, input);
    const rows = await ctx.db.queue.findMany({ where: { id: { in: data.map(({ id }) => id) }, deletedAt: null } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const withFigures = async (queue: Queue): Promise<ListedQueue[]> => {
      const row = byId.get(queue.id);
      return row ? [{ ...queue, figures: await figuresOrNull(ctx, refOf(row)) }] : [];
    };
    return { data: (await Promise.all(data.map(withFigures))).flat(), next_cursor };
  },
});

async function figuresOrNull({ queues, clock }: ActorCtx & Pick<QueueCtx, "queues">, queue: ReturnType<typeof refOf>) {
  try {
    return figuresOf(await queues.figures(queue), clock.now());
  } catch (failure) {
    // Too many calls wait for this one queue, or it was deleted meanwhile; the others can be shown.
    if (failure instanceof ServiceError) return null;
    throw failure;
  }
}
