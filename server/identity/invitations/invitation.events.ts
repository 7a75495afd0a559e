import { z } from "zod";
import { eventKind } from "../../operation/event-kind";
import { exampleId } from "../../operation/example";
import { Invitation } from "./invitation";
import { invitationExample } from "./invitation.example";

export const invitationCreated = eventKind({
  type: "invitation.created",
  description: "A person was invited into the tenant; the link is not part of the event.",
  data: Invitation,
  example: invitationExample,
});

export const invitationAccepted = eventKind({
  type: "invitation.accepted",
  description: "An invitation was accepted; member.joined happens at the same time.",
  data: Invitation.extend({ user_id: z.string() }),
  example: { ...invitationExample, user_id: exampleId("usr") },
});

export const invitationRevoked = eventKind({
  type: "invitation.revoked",
  description: "An invitation was revoked before it was accepted.",
  data: Invitation,
  example: invitationExample,
});

export const invitationEventKinds = [invitationCreated, invitationAccepted, invitationRevoked];
