import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { takeForAddress } from "../attempts";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { type Tenant, toTenant } from "../tenants/tenant";
import { claimInvitation, findInvitation, memberJoined } from "./claim-invitation";

export const AcceptInvitation = z.object({ token: z.string() });

/**
 * Joins the tenant that invites the person who is logged in; their session then stands there. Throws `invalid_request`
 * for an invitation that is used, old, revoked or for another address, `conflict` for a member.
 */
export async function acceptInvitation(ctx: PersonCtx, { token }: z.output<typeof AcceptInvitation>): Promise<Tenant> {
  const { db, clock, actor } = ctx;
  await takeForAddress(ctx, "tokenAddress");
  const { email } = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
  const invitation = await findInvitation(ctx, { token, email });
  const { tenant } = invitation;
  if (!tenant) {
    throw new ServiceError("invalid_request", "This invitation is for signing up, and you have an account.", {
      param: "token",
    });
  }
  return db.$transaction(async (tx) => {
    const key = { userId_tenantId: { userId: actor.userId, tenantId: tenant.id } };
    await tx.$queryRaw`select 1 from users where id = ${actor.userId} for update`;
    if (await tx.membership.findUnique({ where: key })) {
      throw new ServiceError("conflict", `You are a member of ${tenant.name} already.`);
    }
    await claimInvitation(tx, { invitation, userId: actor.userId, now: clock.now() });
    await tx.session.updateMany({ where: { id: actor.sessionId }, data: { tenantId: tenant.id } });
    const there = { ...ctx, actor: { ...actor, tenantId: tenant.id } };
    await recordAudit(tx, there, memberJoined({ id: actor.userId, email }, invitation));
    return toTenant(tenant);
  });
}
