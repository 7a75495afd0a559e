import { z } from "zod";
import { eventKind, eventsOf } from "../../operation/event-kind";
import { exampleId } from "../../operation/example";
import { Invitation } from "./invitation";
import { invitationExample } from "./invitation.example";

const eventOf = eventsOf(Invitation, invitationExample);

export const invitationCreated = eventOf(
  "invitation.created",
  "A person was invited into the tenant; the link is not part of the event.",
);

export const invitationAccepted = eventKind({
  type: "invitation.accepted",
  description: "An invitation was accepted; member.joined happens at the same time.",
  data: Invitation.extend({ user_id: z.string() }),
  example: { ...invitationExample, user_id: exampleId("usr") },
});

export const invitationRevoked = eventOf("invitation.revoked", "An invitation was revoked before it was accepted.");

export const invitationEventKinds = [invitationCreated, invitationAccepted, invitationRevoked];
