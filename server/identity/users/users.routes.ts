import { dashboardChange, routeGroup } from "../../operation/route";
import { resendVerification } from "./resend-verification";
import { verifyEmail } from "./verify-email";

export const userRoutes = routeGroup("Users", "Verified addresses", [
  dashboardChange(verifyEmail),
  dashboardChange(resendVerification),
]);
