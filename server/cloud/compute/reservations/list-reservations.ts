import { z } from "zod";
import { ownerFilter } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { GPU_MODELS } from "../../core/prices/gpu-models";
import { withUse } from "./find-reservation";
import { RESERVATION_STATUSES, Reservation } from "./reservation";
import { reservationExample } from "./reservation.example";
import type { ReservationCtx } from "./reservation-ctx";
import { reservationFields } from "./reservation-fields";

/** Lists the reservations of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listReservations = operation({
  id: "listReservations",
  summary: "List reservations",
  access: "pods:read",
  input: z.strictObject({
    ...PageQuery.shape,
    status: z.enum(RESERVATION_STATUSES).optional().describe("Only reservations with this status"),
    gpu: z.enum(GPU_MODELS).optional().describe("Only reservations of this model"),
    region: reservationFields.region.optional().describe("Only reservations in this region"),
    ...ownerFilter("reservations"),
  }),
  output: pageOf(Reservation),
  example: { input: { status: "active" as const }, output: examplePage(reservationExample) },
  run: (ctx: ReservationCtx, input) => {
    const { db, currency } = ctx;
    const { status, gpu, region } = input;
    const list = { list: "reservations", input, filters: { status, gpu, region } };
    return pageOfOwner(ctx, list, async ({ where, ...page }) => {
      const filters = { ...(status && { status }), ...(gpu && { gpu }), ...(region && { region }) };
      return withUse(db, await db.reservation.findMany({ where: { ...where, ...filters }, ...page }), currency);
    });
  },
});
