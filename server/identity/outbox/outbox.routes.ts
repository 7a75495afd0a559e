import { dashboardRead, routeGroup } from "../../operation/route";
import { listOutbox } from "./list-outbox";

export const outboxRoutes = routeGroup("Outbox", "Emails that are not sent but shown, on a developer's machine", [
  dashboardRead(listOutbox),
]);
