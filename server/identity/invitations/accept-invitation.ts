import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { EXAMPLE_TOKEN } from "../../operation/example";
import { take } from "../attempts";
import { appendForUser } from "../audit/append-for-user";
import { recordAudit } from "../audit/record-audit";
import type { PersonCtx } from "../identity-ctx";
import { personOperation } from "../identity-operation";
import { Tenant, toTenant } from "../tenants/tenant";
import { tenantExample } from "../tenants/tenant.example";
import { emailVerified } from "../users/user";
import { claimInvitation, findInvitation, memberJoined } from "./claim-invitation";

/**
 * Adds the person who is logged in to the inviting tenant and switches their session to it. An emailed invitation also
 * verifies their address. Throws `invalid_request`
 * for an invitation that is used, expired, revoked or for another address, `conflict` for a member.
 */
export const acceptInvitation = personOperation({
  id: "acceptInvitation",
  summary: "Accept an invitation",
  access: "person",
  input: z.object({ token: z.string() }),
  output: Tenant,
  example: { input: { token: EXAMPLE_TOKEN }, output: tenantExample },
  run: async (ctx: PersonCtx, { token }) => {
    const { db, clock, actor } = ctx;
    await take(ctx, "tokenSession", actor.sessionId);
    const { email } = await db.user.findUniqueOrThrow({ where: { id: actor.userId } });
    const invitation = await findInvitation(ctx, { token, email });
    const { tenant } = invitation;
    if (!tenant) {
      throw new ServiceError("invalid_request", "This invitation is for signing up, and you have an account.", {
        param: "token",
      });
    }
    const now = clock.now();
    return db.$transaction(async (tx) => {
      const key = { userId_tenantId: { userId: actor.userId, tenantId: tenant.id } };
      await tx.$queryRaw`select 1 from users where id = ${actor.userId} for update`;
      if (await tx.membership.findUnique({ where: key })) {
        throw new ServiceError("conflict", `You are already a member of ${tenant.name}.`);
      }
      const isVerified = await claimInvitation(tx, { invitation, userId: actor.userId, now });
      await tx.session.updateMany({ where: { id: actor.sessionId }, data: { tenantId: tenant.id } });
      const there = { ...ctx, actor: { ...actor, tenantId: tenant.id } };
      await recordAudit(tx, there, memberJoined({ id: actor.userId, email }, { invitation, now }));
      const origin = { userId: actor.userId, at: clock.now(), request: ctx.request };
      if (isVerified) await appendForUser(tx, origin, emailVerified({ id: actor.userId, email }));
      return toTenant(tenant);
    });
  },
});
