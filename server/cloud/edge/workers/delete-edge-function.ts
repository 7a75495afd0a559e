import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { edgeChoice } from "./edge-fields";
import { edgeTarget, toEdgeFunction } from "./edge-function";
import { edgeFunctionDeleted } from "./edge-function.events";
import { edgeExample } from "./edge-function.example";
import { findEdgeFunction, lockEdgeFunction } from "./find-edge-function";

/** Deletes an edge function with its versions and its logs. Throws `not_found`. */
export const deleteEdgeFunction = operation({
  id: "deleteEdgeFunction",
  summary: "Delete an edge function with its versions",
  description:
    "Its host responds with 404 to every request that arrives after the response. What its bindings store stays.",
  access: "edge:write",
  input: z.strictObject(edgeChoice),
  output: z.void(),
  example: { input: { id: edgeExample.id }, output: undefined },
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "edge">, { id: asked }) => {
    const { id } = await findEdgeFunction(ctx, asked);
    await ctx.db.$transaction(async (tx) => {
      const row = await lockEdgeFunction(tx, id);
      await tx.edgeFunction.delete({ where: { id } });
      const { projectId, mode } = row;
      const events = [newEvent(edgeFunctionDeleted, toEdgeFunction(ctx, row), { projectId, mode })];
      await recordAudit(tx, ctx, { action: "edge_function.deleted", targets: [edgeTarget(row)], events });
    });
  },
});
