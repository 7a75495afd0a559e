import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { modeOf } from "../../../operation/actor";
import { operation } from "../../cloud-operation";
import { readablePlanes } from "../planes/plane-scope";
import type { ResourceCtx } from "../records/resource-ctx";
import { Activation, activationExample, toActivation } from "./activation";
import { serviceFilter } from "./resource-fields";

/** Lists the services that the tenant has activated in one mode, by name. */
export const listActivations = operation({
  id: "listActivations",
  summary: "List activated services",
  access: "plane:read",
  input: z.strictObject({
    plane: serviceFilter.plane,
    mode: ownerFields.mode,
  }),
  output: z.object({ data: z.array(Activation) }),
  example: { input: {}, output: { data: [activationExample] } },
  run: async ({ db, actor, families }: ResourceCtx, { plane, mode }) => {
    const planes = { in: readablePlanes(actor, plane) };
    const where = { tenantId: actor.tenantId, mode: modeOf(actor, mode), plane: planes, endedAt: null };
    const rows = await db.activation.findMany({ where, orderBy: [{ plane: "asc" }, { service: "asc" }] });
    return { data: rows.map((row) => toActivation(families, row)) };
  },
});
