import type { RouteGroup } from "../operation/route";
import { apiKeyRoutes } from "./api-keys/api-keys.routes";
import { auditRoutes } from "./audit/audit.routes";
import { eventRoutes } from "./events/events.routes";
import { invitationRoutes } from "./invitations/invitations.routes";
import { outboxRoutes } from "./outbox/outbox.routes";
import { passwordRoutes } from "./passwords/passwords.routes";
import { projectRoutes } from "./projects/projects.routes";
import { requestCountRoutes } from "./request-counts/request-counts.routes";
import { logInRoutes } from "./session-tokens/session-tokens.routes";
import { sessionRoutes } from "./sessions/sessions.routes";
import { signUpRoutes } from "./sign-up/sign-up.routes";
import { tenantRoutes } from "./tenants/tenants.routes";
import { userRoutes } from "./users/users.routes";

/** The routes of `/v1` for session tokens, which the dashboard has no use for: its sessions are cookies. */
export const tokenRoutes = [logInRoutes] as const satisfies readonly RouteGroup[];

/** The routes of `/v1` for account management. */
export const identityRoutes = [
  apiKeyRoutes,
  projectRoutes,
  tenantRoutes,
  requestCountRoutes,
  auditRoutes,
  eventRoutes,
  sessionRoutes,
  signUpRoutes,
  userRoutes,
  passwordRoutes,
  invitationRoutes,
  outboxRoutes,
] as const satisfies readonly RouteGroup[];
