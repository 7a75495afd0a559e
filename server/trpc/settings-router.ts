import { InviteMember, inviteMember } from "../identity/invitations/invite-member";
import { listInvitations } from "../identity/invitations/list-invitations";
import { RevokeInvitation, revokeInvitation } from "../identity/invitations/revoke-invitation";
import { listSessions } from "../identity/sessions/list-sessions";
import { revokeOtherSessions } from "../identity/sessions/revoke-other-sessions";
import { RevokeSession, revokeSession } from "../identity/sessions/revoke-session";
import { SwitchTenant, switchTenant } from "../identity/sessions/switch-tenant";
import { ChangeRole, changeRole } from "../identity/tenants/change-role";
import { listMembers } from "../identity/tenants/list-members";
import { listTenants } from "../identity/tenants/list-tenants";
import { RemoveMember, removeMember } from "../identity/tenants/remove-member";
import { RenameTenant, renameTenant } from "../identity/tenants/rename-tenant";
import { ChangePassword, changePassword } from "../identity/users/change-password";
import { router, sessionProcedure } from "./trpc";

/** The verbs check the role by themselves. */
export const settingsRouter = router({
  account: sessionProcedure.query(({ ctx }) => ({
    user: ctx.user,
    tenant: ctx.tenant,
    role: ctx.person.actor.role,
    currency: ctx.ads.currency,
  })),
  changePassword: sessionProcedure
    .input(ChangePassword)
    .mutation(({ ctx, input }) => changePassword(ctx.person, input)),
  listSessions: sessionProcedure.query(({ ctx }) => listSessions(ctx.person, {})),
  revokeSession: sessionProcedure.input(RevokeSession).mutation(({ ctx, input }) => revokeSession(ctx.person, input)),
  revokeOtherSessions: sessionProcedure.mutation(({ ctx }) => revokeOtherSessions(ctx.person, {})),
  listTenants: sessionProcedure.query(({ ctx }) => listTenants(ctx.person, {})),
  switchTenant: sessionProcedure.input(SwitchTenant).mutation(({ ctx, input }) => switchTenant(ctx.person, input)),
  renameTenant: sessionProcedure.input(RenameTenant).mutation(({ ctx, input }) => renameTenant(ctx.person, input)),
  listMembers: sessionProcedure.query(({ ctx }) => listMembers(ctx.person, {})),
  changeRole: sessionProcedure.input(ChangeRole).mutation(({ ctx, input }) => changeRole(ctx.person, input)),
  removeMember: sessionProcedure.input(RemoveMember).mutation(({ ctx, input }) => removeMember(ctx.person, input)),
  listInvitations: sessionProcedure.query(({ ctx }) => listInvitations(ctx.person, {})),
  inviteMember: sessionProcedure.input(InviteMember).mutation(({ ctx, input }) => inviteMember(ctx.person, input)),
  revokeInvitation: sessionProcedure
    .input(RevokeInvitation)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.person, input)),
});
