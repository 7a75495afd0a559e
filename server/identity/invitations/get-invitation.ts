import { z } from "zod";
import { EXAMPLE_TOKEN } from "../../operation/example";
import { takeForAddress } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { publicOperation } from "../identity-operation";
import { RoleName } from "../tenants/member";
import { tenantExample } from "../tenants/tenant.example";
import { findInvitation } from "./claim-invitation";
import { invitationExample } from "./invitation.example";

const InvitationView = z.object({
  email: z.string(),
  role: RoleName,
  tenant_name: z.string().nullable().describe("null: the invitation is for a new account with its own tenant"),
});

/**
 * Returns what the holder of an invitation token may see before accepting. It does not say whether the address has an
 * account, which would let inviters test any address. Throws `invalid_request` when it is not open.
 */
export const getInvitation = publicOperation({
  id: "getInvitation",
  summary: "Get the invitation of a token",
  access: "public",
  input: z.object({ token: z.string() }),
  output: InvitationView,
  example: {
    input: { token: EXAMPLE_TOKEN },
    output: { email: invitationExample.email, role: "member", tenant_name: tenantExample.name },
  },
  run: async (ctx: VisitorCtx, { token }) => {
    await takeForAddress(ctx, "tokenAddress");
    const { email, role, tenant } = await findInvitation(ctx, { token });
    return { email, role, tenant_name: tenant?.name ?? null };
  },
});
