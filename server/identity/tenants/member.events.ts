import { eventKind, eventsOf } from "../../operation/event-kind";
import { Member, RoleName } from "./member";
import { memberExample } from "./tenant.example";

const eventOf = eventsOf(Member, memberExample);

export const memberJoined = eventOf("member.joined", "A person joined the tenant by accepting an invitation.");

export const memberRemoved = eventOf("member.removed", "A member was removed from the tenant, or left it.");

export const memberRoleChanged = eventKind({
  type: "member.role_changed",
  description: "The role of a member was changed.",
  data: Member.extend({ previous_role: RoleName }),
  example: { ...memberExample, previous_role: "member" },
});

export const memberEventKinds = [memberJoined, memberRemoved, memberRoleChanged];
