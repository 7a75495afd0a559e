import { acceptInvitation } from "../../../server/identity/invitations/accept-invitation";
import { sendPasswordReset } from "../../../server/identity/passwords/send-password-reset";
import { deleteProject } from "../../../server/identity/projects/delete-project";
import { createSessionToken } from "../../../server/identity/session-tokens/create-session-token";
import { TEST_REQUEST } from "../app";
import { PASSWORD } from "../identity";
import { type Change, inTest, to } from "./change";

export const changes: readonly Change[] = [
  {
    operation: "createKey",
    actions: ["api_key.created"],
    events: ["api_key.created"],
    prepare: async (s) => {
      const input = await s.keyFields();
      return { input, marks: inTest(input.project) };
    },
  },
  {
    operation: "rotateKey",
    actions: ["api_key.rotated"],
    events: ["api_key.rotated"],
    prepare: async (s) => to(await s.key()),
  },
  {
    operation: "revokeKey",
    actions: ["api_key.revoked"],
    events: ["api_key.revoked"],
    prepare: async (s) => to(await s.key()),
  },
  {
    operation: "createProject",
    actions: ["project.created"],
    events: ["project.created"],
    prepare: (s) => ({ input: { name: s.unique("project") } }),
  },
  {
    operation: "updateProject",
    actions: ["project.updated"],
    events: ["project.updated"],
    prepare: async (s) => ({ input: { id: (await s.project()).id, name: s.unique("renamed") } }),
  },
  {
    operation: "deleteProject",
    actions: ["project.archived"],
    events: ["project.archived"],
    prepare: async (s) => ({ input: { id: (await s.project()).id } }),
  },
  {
    operation: "restoreProject",
    actions: ["project.restored"],
    events: ["project.restored"],
    prepare: async (s) => {
      const input = { id: (await s.project()).id };
      await deleteProject.run(s.owner, input);
      return { input };
    },
  },
  {
    operation: "logIn",
    actions: ["user.signed_in"],
    prepare: (s) => ({ input: { email: s.owner.session.user.email, password: PASSWORD } }),
  },
  {
    operation: "openBrowserSession",
    actions: ["user.signed_in"],
    prepare: (s) => ({ input: { email: s.owner.session.user.email, password: PASSWORD } }),
  },
  {
    operation: "logOut",
    actions: ["session.ended"],
    prepare: async (s) => {
      const { cookie } = await createSessionToken.run(s.visitor(), {
        email: s.owner.session.user.email,
        password: PASSWORD,
      });
      return { cookies: cookie.split(";")[0] ?? "" };
    },
  },
  { operation: "endBrowserSession", actions: ["session.ended"], prepare: async (s) => ({ as: await s.newPerson() }) },
  {
    operation: "signUp",
    actions: ["tenant.created", "user.signed_in"],
    prepare: (s) => ({ input: { email: s.newEmail(), password: PASSWORD } }),
  },
  {
    operation: "verifyEmail",
    actions: ["user.email_verified"],
    prepare: async (s) => ({ input: { token: await s.tokenFor((await s.newPerson()).session.user.email) } }),
  },
  {
    operation: "resetPassword",
    actions: ["user.password_reset"],
    prepare: async (s) => {
      const { email } = (await s.newPerson()).session.user;
      const send = () => sendPasswordReset(s.visitor(), { email, request: TEST_REQUEST });
      return { input: { token: await s.tokenFor(email, send), password: PASSWORD } };
    },
  },
  {
    // The verified address is recorded in both tenants of the guest.
    operation: "acceptInvitation",
    actions: ["member.joined", "user.email_verified", "user.email_verified"],
    events: ["invitation.accepted", "member.joined"],
    prepare: async (s) => {
      const { as, token } = await s.guest();
      return { as, input: { token } };
    },
  },
  {
    operation: "changePassword",
    actions: ["user.password_changed"],
    prepare: async (s) => ({
      as: await s.newPerson(),
      input: { current_password: PASSWORD, new_password: "another long password" },
    }),
  },
  {
    operation: "revokeSession",
    actions: ["session.ended"],
    prepare: async (s) => {
      const { as, otherId } = await s.twiceLoggedIn();
      return { as, input: { session_id: otherId } };
    },
  },
  {
    operation: "revokeOtherSessions",
    actions: ["user.sessions_ended"],
    prepare: async (s) => ({ as: (await s.twiceLoggedIn()).as }),
  },
  {
    operation: "switchTenant",
    actions: ["user.signed_in"],
    prepare: async (s) => {
      const { as, token } = await s.guest();
      await acceptInvitation.run(as, { token });
      return { as, input: { tenant_id: as.actor.tenantId } };
    },
  },
  {
    operation: "renameTenant",
    actions: ["tenant.updated"],
    prepare: (s) => ({ input: { name: s.unique("Acme") } }),
  },
  {
    operation: "changeRole",
    actions: ["member.role_changed"],
    events: ["member.role_changed"],
    prepare: async (s) => ({ input: { user_id: (await s.member()).session.user.id, role: "admin" } }),
  },
  {
    operation: "removeMember",
    actions: ["member.removed"],
    events: ["member.removed"],
    prepare: async (s) => ({ input: { user_id: (await s.member()).session.user.id } }),
  },
  {
    operation: "inviteMember",
    actions: ["invitation.created"],
    events: ["invitation.created"],
    prepare: (s) => ({ input: { email: s.newEmail() } }),
  },
  {
    operation: "revokeInvitation",
    actions: ["invitation.revoked"],
    events: ["invitation.revoked"],
    prepare: async (s) => ({ input: { invitation_id: (await s.invite(s.newEmail())).invitation.id } }),
  },
];
