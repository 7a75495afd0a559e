import { dashboardChange, dashboardRead, routeGroup } from "../../operation/route";
import { acceptInvitation } from "./accept-invitation";
import { getInvitation } from "./get-invitation";
import { inviteMember } from "./invite-member";
import { listInvitations } from "./list-invitations";
import { revokeInvitation } from "./revoke-invitation";

export const invitationRoutes = routeGroup("Invitations", "Links that add a person to a tenant", [
  dashboardRead(getInvitation),
  dashboardChange(acceptInvitation),
  dashboardRead(listInvitations),
  dashboardChange(inviteMember),
  dashboardChange(revokeInvitation),
]);
