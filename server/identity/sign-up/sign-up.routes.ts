import { dashboardChange, routeGroup } from "../../operation/route";
import { signUp } from "./sign-up";

export const signUpRoutes = routeGroup("Sign-up", "New tenants", [dashboardChange(signUp)]);
