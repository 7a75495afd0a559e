import { dashboardChange, routeGroup } from "../../operation/route";
import { changePassword } from "./change-password";
import { requestPasswordReset } from "./request-password-reset";
import { resetPassword } from "./reset-password";

export const passwordRoutes = routeGroup(
  "Passwords",
  "Changed by their owner, or replaced through a link in an email",
  [dashboardChange(changePassword), dashboardChange(requestPasswordReset), dashboardChange(resetPassword)],
);
