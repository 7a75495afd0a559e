import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { operation } from "../../cloud-operation";
import { findFunction, lockFunction } from "./find-function";
import { functionTarget, toFunction } from "./function";
import { functionDeleted, recorded } from "./function.events";
import { functionExample } from "./function.example";
import type { FunctionCtx } from "./function-ctx";
import { functionChoice } from "./function-fields";

/** Deletes a function with its versions. Throws `not_found`. */
export const deleteFunction = operation({
  id: "deleteFunction",
  summary: "Delete a function with its versions",
  description: "Invocations that run end; those that wait do not begin.",
  access: "functions:write",
  input: z.strictObject(functionChoice),
  output: z.void(),
  example: { input: { id: functionExample.id }, output: undefined },
  run: async (ctx: FunctionCtx, { id: asked }) => {
    const { id } = await findFunction(ctx, asked);
    await ctx.db.$transaction(async (tx) => {
      const row = await lockFunction(tx, id);
      await tx.cloudFunction.delete({ where: { id } });
      const { projectId, mode } = row;
      const events = [newEvent(functionDeleted, recorded(toFunction(row)), { projectId, mode })];
      await recordAudit(tx, ctx, { action: "function.deleted", targets: [functionTarget(row)], events });
    });
  },
});
