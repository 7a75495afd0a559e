import { route, routeGroup } from "../../../operation/route";
import { cancelShieldScan } from "./cancel-shield-scan";
import { createShieldScan } from "./create-shield-scan";
import { getShieldScan } from "./get-shield-scan";
import { listShieldFindings } from "./list-shield-findings";
import { listShieldScans } from "./list-shield-scans";

export const shieldRoutes = routeGroup("Shield", "Scans of buckets for secrets, personal data and risky settings", [
  route("POST", "/v1/shield/scans", createShieldScan),
  route("GET", "/v1/shield/scans", listShieldScans),
  route("GET", "/v1/shield/scans/{scan_id}", getShieldScan),
  route("POST", "/v1/shield/scans/{scan_id}/cancel", cancelShieldScan),
  route("GET", "/v1/shield/findings", listShieldFindings),
]);
