import type { EventKind } from "../operation/event-kind";
import { apiKeyEventKinds } from "./api-keys/api-key.events";
import { invitationEventKinds } from "./invitations/invitation.events";
import { projectEventKinds } from "./projects/project.events";
import { quotaEventKinds } from "./quotas/quota.events";
import { memberEventKinds } from "./tenants/member.events";

/** The kinds of events of the account system. */
export const IDENTITY_EVENT_KINDS: readonly EventKind[] = [
  ...apiKeyEventKinds,
  ...projectEventKinds,
  ...memberEventKinds,
  ...invitationEventKinds,
  ...quotaEventKinds,
];
