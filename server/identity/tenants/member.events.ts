import { eventKind } from "../../operation/event-kind";
import { Member, RoleName } from "./member";
import { memberExample } from "./tenant.example";

export const memberJoined = eventKind({
  type: "member.joined",
  description: "A person joined the tenant by accepting an invitation.",
  data: Member,
  example: memberExample,
});

export const memberRemoved = eventKind({
  type: "member.removed",
  description: "A member was removed from the tenant, or left it.",
  data: Member,
  example: memberExample,
});

export const memberRoleChanged = eventKind({
  type: "member.role_changed",
  description: "The role of a member was changed.",
  data: Member.extend({ previous_role: RoleName }),
  example: { ...memberExample, previous_role: "member" },
});

export const memberEventKinds = [memberJoined, memberRemoved, memberRoleChanged];
