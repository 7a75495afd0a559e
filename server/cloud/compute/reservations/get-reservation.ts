import { z } from "zod";
import { operation } from "../../cloud-operation";
import { findReservation, withItsUse } from "./find-reservation";
import { Reservation } from "./reservation";
import { reservationExample } from "./reservation.example";
import type { ReservationCtx } from "./reservation-ctx";
import { reservationChoice } from "./reservation-fields";

/** Throws `not_found`. */
export const getReservation = operation({
  id: "getReservation",
  summary: "Get a reservation",
  access: "pods:read",
  input: z.strictObject(reservationChoice),
  output: Reservation,
  example: { input: { id: reservationExample.id }, output: reservationExample },
  run: async (ctx: ReservationCtx, { id }) => withItsUse(ctx.db, await findReservation(ctx, id), ctx.currency),
});
