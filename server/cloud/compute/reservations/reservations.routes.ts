import { route, routeGroup } from "../../../operation/route";
import { cancelReservation } from "./cancel-reservation";
import { createReservation } from "./create-reservation";
import { getReservation } from "./get-reservation";
import { getReservationCalendar } from "./get-reservation-calendar";
import { listReservations } from "./list-reservations";

export const reservationRoutes = routeGroup("Reservations", "GPUs for a month or a year, at the lowest price", [
  route("POST", "/v1/reservations", createReservation),
  route("GET", "/v1/reservations", listReservations),
  route("GET", "/v1/reservations/calendar", getReservationCalendar),
  route("GET", "/v1/reservations/{id}", getReservation),
  route("POST", "/v1/reservations/{id}/cancel", cancelReservation),
]);
