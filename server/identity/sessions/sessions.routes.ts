import { dashboardChange, dashboardRead, routeGroup } from "../../operation/route";
import { getAccount } from "./get-account";
import { getSession } from "./get-session";
import { listSessions } from "./list-sessions";
import { logIn } from "./log-in";
import { logOut } from "./log-out";
import { revokeOtherSessions } from "./revoke-other-sessions";
import { revokeSession } from "./revoke-session";
import { switchTenant } from "./switch-tenant";

export const sessionRoutes = routeGroup("Sessions", "Log-ins of browsers, and the account of a person", [
  dashboardRead(getSession),
  dashboardChange(logIn),
  dashboardChange(logOut),
  dashboardRead(getAccount),
  dashboardRead(listSessions),
  dashboardChange(revokeSession),
  dashboardChange(revokeOtherSessions),
  dashboardChange(switchTenant),
]);
