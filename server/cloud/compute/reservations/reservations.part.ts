import type { QuietPart } from "../../../identity/part";
import { reservationEventKinds } from "./reservation.events";
import { reservationRoutes } from "./reservations.routes";
import { RESERVED_GPU_QUOTAS } from "./reserved-quotas";
import { type StartReservations, startReservations } from "./start-reservations";

interface Needs extends StartReservations {
  config: { roles: ReadonlySet<string> };
}

/** Reservations of GPUs; workers begin and end them. */
export const reservationsPart: QuietPart<Needs, typeof reservationRoutes> = {
  name: "reservations",
  routes: [reservationRoutes],
  eventKinds: reservationEventKinds,
  quotas: RESERVED_GPU_QUOTAS,
  start: ({ db, sql, clock, currency, publicUrl, alarms, config }) => {
    if (!config.roles.has("worker")) return { gives: {} };
    const reservations = startReservations({ db, sql, clock, currency, publicUrl, alarms });
    return { gives: {}, stop: () => reservations.stop() };
  },
};
