import { z } from "zod";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { Activation, activationExample, toActivation } from "./activation";
import type { ResourceCtx } from "./resource-ctx";
import { placeFields } from "./resource-fields";
import { PLANES } from "./services";

/** Lists the services that the tenant has activated in one mode, by name. */
export const listActivations = operation({
  id: "listActivations",
  summary: "List activated services",
  access: "gpuc:read",
  cost: "cheap",
  input: z.strictObject({
    plane: z.enum(PLANES).optional().describe("Only services of this group"),
    mode: placeFields.mode,
  }),
  output: z.object({ data: z.array(Activation) }),
  example: { input: {}, output: { data: [activationExample] } },
  run: async ({ db, actor }: ResourceCtx, { plane, mode }) => {
    const where = { tenantId: actor.tenantId, mode: modeOf(actor, mode), ...(plane && { plane }), endedAt: null };
    const rows = await db.activation.findMany({ where, orderBy: [{ plane: "asc" }, { service: "asc" }] });
    return { data: rows.map(toActivation) };
  },
});
