import { z } from "zod";
import type { SessionView } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { RoleName } from "../tenants/member";
import { Tenant } from "../tenants/tenant";
import { tenantExample } from "../tenants/tenant.example";
import { User } from "../users/user";
import { userExample } from "../users/user.example";

/** Returns who is logged in to the calling browser; null if no one is. */
export const getSession = publicOperation({
  id: "getBrowserSession",
  summary: "Get who is logged in",
  access: "public",
  input: z.strictObject({}),
  output: z.object({ user: User, tenant: Tenant, role: RoleName }).nullable(),
  example: { input: {}, output: { user: userExample, tenant: tenantExample, role: "owner" } },
  run: async ({ session }: { session?: SessionView | undefined }) =>
    session ? { user: session.user, tenant: session.tenant, role: session.actor.role } : null,
});
