import { route, routeGroup } from "../../operation/route";
import { listAudit } from "./list-audit";
import { verifyAudit } from "./verify-audit";

export const auditRoutes = routeGroup("Audit log", "Who changed what, and when", [
  route("GET", "/v1/audit", listAudit),
  route("GET", "/v1/audit/verify", verifyAudit),
]);
