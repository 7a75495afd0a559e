import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { findProject } from "../../identity/projects/find-project";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { GPU_MODELS } from "../gpu-pools/fleet";
import { placeFields } from "../pods/pod-fields";
import { withUse } from "./find-reservation";
import { RESERVATION_STATUSES, Reservation } from "./reservation";
import { reservationExample } from "./reservation.example";
import { reservationFields } from "./reservation-fields";

export const ListReservations = z.strictObject({
  ...PageQuery.shape,
  status: z.enum(RESERVATION_STATUSES).optional().describe("Only reservations with this status"),
  gpu: z.enum(GPU_MODELS).optional().describe("Only reservations of this model"),
  region: reservationFields.region.optional().describe("Only reservations in this region"),
  mode: placeFields.mode,
  project: placeFields.project.describe("Only reservations of this project, by its id or name"),
});

/** Lists the reservations of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listReservations = operation({
  id: "listReservations",
  summary: "List reservations",
  access: "pods:read",
  cost: "cheap",
  input: ListReservations,
  output: pageOf(Reservation),
  example: { input: { status: "active" as const }, output: examplePage(reservationExample) },
  run: async (ctx: CloudCtx, input) => {
    const { db, actor, currency } = ctx;
    const { status, gpu, region } = input;
    const mode = modeOf(actor, input.mode);
    const isOfOne = actor.kind === "key" || input.project !== undefined;
    const projectId = isOfOne ? (await findProject(db, actor, input.project)).id : undefined;
    const scope = listScope(ctx, "reservations", { mode, projectId, status, gpu, region });
    return fetchPage(scope, input, async ({ after, take }) => {
      const filters = {
        ...(projectId !== undefined && { projectId }),
        ...(status && { status }),
        ...(gpu && { gpu }),
        ...(region && { region }),
        ...(after !== undefined && { id: { lt: after } }),
      };
      const where = { tenantId: actor.tenantId, mode, ...filters };
      const rows = await db.reservation.findMany({ where, orderBy: { id: "desc" }, take });
      return withUse(db, rows, currency);
    });
  },
});
