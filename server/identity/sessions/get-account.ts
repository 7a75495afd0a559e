import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { personOperation } from "../identity-operation";
import { RoleName } from "../tenants/member";
import { Tenant } from "../tenants/tenant";
import { tenantExample } from "../tenants/tenant.example";
import { User } from "../users/user";
import { userExample } from "../users/user.example";
import type { AccountPageCtx } from "./account-page-ctx";

/** Returns the caller, the tenant and role of the session, and the billing currency of the installation. */
export const getAccount = personOperation({
  id: "getAccount",
  summary: "Get your account",
  access: "person",
  input: z.strictObject({}),
  output: z.object({ user: User, tenant: Tenant, role: RoleName, currency: z.string() }),
  example: { input: {}, output: { user: userExample, tenant: tenantExample, role: "owner", currency: "USD" } },
  run: async ({ session, currency }: AccountPageCtx) => {
    if (!session) throw new ServiceError("unauthorized", "Your session has ended; log in again.");
    return { user: session.user, tenant: session.tenant, role: session.actor.role, currency };
  },
});
