import { route, routeGroup } from "../../../operation/route";
import { listTelemetryRecords } from "./list-telemetry-records";

export const telemetryRoutes = routeGroup("Telemetry", "Records of stores of metrics, logs and traces", [
  route("GET", "/v1/observe/{rid}/records", listTelemetryRecords),
]);
