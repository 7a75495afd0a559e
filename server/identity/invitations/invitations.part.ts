import type { QuietPart } from "../part";
import { invitationEventKinds } from "./invitation.events";
import { invitationRoutes } from "./invitations.routes";

/** Links that add a person to a tenant. */
export const invitationsPart: QuietPart<object, typeof invitationRoutes> = {
  name: "invitations",
  routes: [invitationRoutes],
  eventKinds: invitationEventKinds,
};
