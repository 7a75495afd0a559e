import { z } from "zod";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { chooseTenant } from "../log-ins/choose-tenant";
import { verifyCredentials } from "../log-ins/verify-credentials";
import { Tenant } from "../tenants/tenant";
import { tenantExample } from "../tenants/tenant.example";
import { CodeAttempt, Email, PasswordAttempt, User } from "../users/user";
import { passwordExample, userExample } from "../users/user.example";
import { openSession } from "./open-session";

/**
 * Opens a session in the tenant that the person joined first. Throws the errors of `verifyCredentials`, and `forbidden`
 * for a person who no longer belongs to any tenant.
 */
export const logIn = publicOperation({
  id: "openBrowserSession",
  summary: "Log in to the dashboard",
  access: "public",
  input: z.object({ email: Email, password: PasswordAttempt, code: CodeAttempt.optional() }),
  output: z.object({ user: User, tenant: Tenant }),
  example: {
    input: { email: userExample.email, password: passwordExample },
    output: { user: userExample, tenant: tenantExample },
  },
  usesCookie: true,
  run: async (ctx: VisitorCtx, input) => {
    const user = await verifyCredentials(ctx, input);
    return openSession(ctx, user, await chooseTenant(ctx, user.id, undefined));
  },
});
