import { route, routeGroup } from "../../operation/route";
import { getEvent } from "./get-event";
import { listEventKinds } from "./list-event-kinds";
import { listEvents } from "./list-events";

export const eventRoutes = routeGroup("Events", "What happened in the last 30 days, as webhooks deliver it", [
  route("GET", "/v1/events", listEvents),
  route("GET", "/v1/events/kinds", listEventKinds),
  route("GET", "/v1/events/{id}", getEvent),
]);
