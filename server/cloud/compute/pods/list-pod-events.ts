import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { EXAMPLE_TIME, exampleId, examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { TIMELINE_TYPES } from "../pod-records/pod-timeline";
import { podChoice } from "../pod-requests/pod-fields";
import { findPod } from "./find-pod";

const PodEvent = z
  .object({
    id: z.string().describe("Counts up from 1 within the pod"),
    type: z.enum(TIMELINE_TYPES),
    run: z.int().describe("The number of the run, from 1"),
    message: z.string(),
    at: z.iso.datetime(),
  })
  .meta({ id: "PodEvent" });

/** Lists what happened to a pod, newest first. Throws `not_found`. */
export const listPodEvents = operation({
  id: "listPodEvents",
  summary: "List what happened to a pod",
  access: "pods:read",
  input: z.strictObject({ ...podChoice, ...PageQuery.shape }),
  output: pageOf(PodEvent),
  example: {
    input: { id: exampleId("pod") },
    output: examplePage({
      id: "3",
      type: "ready" as const,
      run: 1,
      message: "The process runs.",
      at: EXAMPLE_TIME,
    }),
  },
  run: async (ctx: ActorCtx, input) => {
    const { id: podId } = await findPod(ctx, input.id);
    return fetchPage(listScope(ctx, "pod_events", { podId }), input, async ({ after, take }) => {
      const where = { podId, ...(after !== undefined && { number: { lt: Number(after) } }) };
      const rows = await ctx.db.podTimelineEntry.findMany({ where, orderBy: { number: "desc" }, take });
      return rows.map(({ number, type, run, message, at }) => ({
        id: String(number),
        type: type as (typeof TIMELINE_TYPES)[number],
        run,
        message,
        at: at.toISOString(),
      }));
    });
  },
});
