import { dashboardRead, routeGroup } from "../../operation/route";
import { getSimulatedTraffic } from "./get-simulated-traffic";

export const demoRoutes = routeGroup("Demo", "Visits that svc simulates", [dashboardRead(getSimulatedTraffic)]);
