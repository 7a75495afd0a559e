import type { RouteGroup } from "../operation/route";
import { apiKeyRoutes } from "./api-keys/api-keys.routes";
import { auditRoutes } from "./audit/audit.routes";
import { eventRoutes } from "./events/events.routes";
import { projectRoutes } from "./projects/projects.routes";
import { requestCountRoutes } from "./request-counts/request-counts.routes";
import { logInRoutes } from "./session-tokens/session-tokens.routes";
import { tenantRoutes } from "./tenants/tenants.routes";

/** The routes of `/v1` for session tokens and account management. */
export const identityRoutes: readonly RouteGroup[] = [
  logInRoutes,
  apiKeyRoutes,
  projectRoutes,
  tenantRoutes,
  requestCountRoutes,
  auditRoutes,
  eventRoutes,
];
