import { z } from "zod";
import type { Role } from "../actors/actor";
import { takeForAddress } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { findInvitation } from "./claim-invitation";

export const GetInvitation = z.object({ token: z.string() });

interface InvitationView {
  email: string;
  role: Role;
  /** null: it invites to sign up with a tenant of one's own. */
  tenant_name: string | null;
  /** Whether to log in or to sign up. */
  has_account: boolean;
}

/** What the holder of an invitation's token sees before accepting. Throws `invalid_request` when it is not open. */
export async function getInvitation(
  ctx: VisitorCtx,
  { token }: z.output<typeof GetInvitation>,
): Promise<InvitationView> {
  await takeForAddress(ctx, "tokenAddress");
  const { email, role, tenant } = await findInvitation(ctx, { token });
  const user = await ctx.db.user.findUnique({ where: { email }, select: { id: true } });
  return { email, role, tenant_name: tenant?.name ?? null, has_account: user !== null };
}
