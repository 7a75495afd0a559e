import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFilter } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { NodeEvent, REPORTED_SEVERITIES, toNodeEvent } from "./node-event";
import { nodeEventExample } from "./node-event.example";

/** Lists the health events of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listNodeEvents = operation({
  id: "listNodeEvents",
  summary: "List health events of nodes",
  description:
    "The newest 1,000 of a mode that cordoned no node, and as many that did, of nodes that baremetal instances of yours had when they were reported.",
  access: "gpuc:read",
  input: z.strictObject({
    ...PageQuery.shape,
    severity: z.enum(REPORTED_SEVERITIES).optional().describe("Only events with this severity"),
    ...ownerFilter("events"),
  }),
  output: pageOf(NodeEvent),
  example: { input: { severity: "crit" as const }, output: examplePage(nodeEventExample) },
  run: async (ctx: ActorCtx, input) => {
    const { severity } = input;
    const list = { list: "node_events", input, filters: { severity } };
    const { data, next_cursor } = await pageOfOwner(ctx, list, ({ where, ...page }) =>
      ctx.db.nodeEvent.findMany({ where: { ...where, ...(severity && { severity }) }, ...page }),
    );
    return { data: data.map(toNodeEvent), next_cursor };
  },
});
