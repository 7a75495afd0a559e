import { describe, expect, it } from "vitest";
import { identityTest, PASSWORD, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import type { Role } from "../../operation/actor";
import { acceptInvitation } from "../invitations/accept-invitation";
import { getInvitation } from "../invitations/get-invitation";
import { inviteByOperator } from "../invitations/invite-by-operator";
import { inviteMember } from "../invitations/invite-member";
import { listInvitations } from "../invitations/list-invitations";
import { revokeInvitation } from "../invitations/revoke-invitation";
import { authenticateSession } from "../sessions/authenticate-session";
import { listSessions } from "../sessions/list-sessions";
import { logIn } from "../sessions/log-in";
import { revokeSession } from "../sessions/revoke-session";
import { switchTenant } from "../sessions/switch-tenant";
import { signUp } from "../sign-up/sign-up";
import { changeRole } from "./change-role";
import { listMembers } from "./list-members";
import { listTenants } from "./list-tenants";
import { removeMember } from "./remove-member";
import { renameTenant } from "./rename-tenant";

let serial = 0;
const t = await openForFile(identityTest());

const newEmail = () => `person-${++serial}@example.com`;

/** An owner's tenant with one more person in it. */
async function team(role: Role): Promise<{ owner: Person; other: Person }> {
  const owner = await t.person(newEmail());
  const email = newEmail();
  await inviteMember.run(owner, { email, role });
  return { owner, other: await t.person(email, await t.tokenFor(email)) };
}

/** The person again, as their next request finds them. */
const again = (person: Person): Promise<Person> => t.personOf(person.cookie);

describe("invitations", () => {
  it("let an address without an account sign up into the tenant, with the role given", async () => {
    const { owner, other } = await team("admin");
    expect(other.actor).toMatchObject({ tenantId: owner.actor.tenantId, role: "admin" });
    const members = await listMembers.run(owner, {});
    expect(members.map(({ email, role }) => [email, role])).toEqual([
      [owner.email, "owner"],
      [other.email, "admin"],
    ]);
    expect(await listTenants.run(other, {})).toMatchObject([{ id: owner.actor.tenantId, current: true }]);
  });

  it("let a person with an account join, and move their session there", async () => {
    const [owner, guest] = [await t.person(newEmail()), await t.person(newEmail())];
    await inviteMember.run(owner, { email: guest.email, role: "member" });
    const token = await t.tokenFor(guest.email);
    expect(await getInvitation.run(t.visitor(), { token })).toEqual({
      email: guest.email,
      role: "member",
      tenant_name: (await listTenants.run(owner, {}))[0]?.name,
    });
    await acceptInvitation.run(guest, { token });
    expect((await again(guest)).actor).toMatchObject({ tenantId: owner.actor.tenantId, role: "member" });
    expect(await listTenants.run(guest, {})).toHaveLength(2);
  });

  it("verify the address by their link, which was emailed to it, for a new account and an existing one", async () => {
    const { owner, other } = await team("member");
    const verifiedAt = async (person: Person) =>
      (await t.db.user.findUniqueOrThrow({ where: { id: person.actor.userId } })).emailVerifiedAt;
    expect(await verifiedAt(other)).not.toBeNull();
    expect((await again(other)).session?.user.email_verified_at).not.toBeNull();
    const guest = await t.person(newEmail());
    expect(await verifiedAt(guest)).toBeNull();
    await inviteMember.run(owner, { email: guest.email, role: "member" });
    await acceptInvitation.run(guest, { token: await t.tokenFor(guest.email) });
    expect(await verifiedAt(guest)).not.toBeNull();
    const where = { tenantId: owner.actor.tenantId, action: "user.email_verified" };
    expect(await t.db.auditEntry.count({ where })).toBe(2);
  });

  it("verify nothing if the inviter got the link, or if another account has verified the address", async () => {
    const [owner, guest] = [await t.person(newEmail()), await t.person(newEmail())];
    const verified = await t.person(newEmail());
    await t.db.user.update({ where: { id: verified.actor.userId }, data: { emailVerifiedAt: t.clock.now() } });
    await inviteMember.run(owner, { email: verified.email, role: "member" });
    const second = await t.person(verified.email, await t.tokenFor(verified.email));
    const handedOver = { ...owner, mail: { ...owner.mail, delivery: "none" as const } };
    const { link } = await inviteMember.run(handedOver, { email: guest.email, role: "member" });
    await acceptInvitation.run(guest, { token: new URL(link ?? "").searchParams.get("token") ?? "" });
    for (const { actor } of [second, guest]) {
      expect((await t.db.user.findUniqueOrThrow({ where: { id: actor.userId } })).emailVerifiedAt).toBeNull();
    }
  });

  it("are accepted by exactly one of two concurrent requests", async () => {
    const [owner, guest] = [await t.person(newEmail()), await t.person(newEmail())];
    await inviteMember.run(owner, { email: guest.email, role: "member" });
    const token = await t.tokenFor(guest.email);
    const both = await Promise.allSettled([
      acceptInvitation.run(guest, { token }),
      acceptInvitation.run(guest, { token }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await listMembers.run(owner, {})).toHaveLength(2);
  });

  it("sign up exactly one of two concurrent requests", async () => {
    const [owner, email] = [await t.person(newEmail()), newEmail()];
    await inviteMember.run(owner, { email, role: "member" });
    const input = { email, password: PASSWORD, invitation_token: await t.tokenFor(email) };
    const both = await Promise.allSettled([signUp.run(t.visitor(), input), signUp.run(t.visitor(), input)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("are valid only for their address", async () => {
    const [owner, thief] = [await t.person(newEmail()), await t.person(newEmail())];
    const email = newEmail();
    await inviteMember.run(owner, { email, role: "owner" });
    const token = await t.tokenFor(email);
    const reason = { details: { reason: "invitation_for_another" } };
    await expect(acceptInvitation.run(thief, { token })).rejects.toMatchObject(reason);
    const stolen = signUp.run(t.visitor(), { email: newEmail(), password: PASSWORD, invitation_token: token });
    await expect(stolen).rejects.toMatchObject({ param: "invitation_token", ...reason });
  });

  it("end when used, revoked, replaced or seven days old", async () => {
    const owner = await t.person(newEmail());
    const isOpen = (token: string) =>
      getInvitation.run(t.visitor(), { token }).then(
        () => true,
        () => false,
      );
    const invite = async (email: string) => {
      t.clock.advance(1);
      const { invitation } = await inviteMember.run(owner, { email, role: "member" });
      return { id: invitation.id, token: await t.tokenFor(email) };
    };
    const email = newEmail();
    const [replaced, last] = [await invite(email), await invite(email)];
    expect([await isOpen(replaced.token), await isOpen(last.token)]).toEqual([false, true]);
    expect(await listInvitations.run(owner, {})).toHaveLength(1);
    await t.person(email, last.token);
    expect(await isOpen(last.token)).toBe(false);
    const revoked = await invite(newEmail());
    await revokeInvitation.run(owner, { invitation_id: revoked.id });
    expect(await isOpen(revoked.token)).toBe(false);
    const old = await invite(newEmail());
    t.clock.advance(7 * 86_400_000);
    expect(await isOpen(old.token)).toBe(false);
    expect(await listInvitations.run(owner, {})).toEqual([]);
  });

  it("are rejected for a member, from a member, and for an owner from an admin", async () => {
    const { owner, other: admin } = await team("admin");
    await expect(inviteMember.run(owner, { email: admin.email, role: "member" })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(inviteMember.run(admin, { email: newEmail(), role: "owner" })).rejects.toMatchObject({
      code: "forbidden",
    });
    const { other: member } = await team("member");
    await expect(inviteMember.run(member, { email: newEmail(), role: "member" })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(listInvitations.run(member, {})).rejects.toMatchObject({ code: "forbidden" });
  });

  it("of another tenant are not found", async () => {
    const [owner, stranger] = [await t.person(newEmail()), await t.person(newEmail())];
    const { invitation } = await inviteMember.run(owner, { email: newEmail(), role: "member" });
    const foreign = revokeInvitation.run(stranger, { invitation_id: invitation.id });
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });
    expect(await listInvitations.run(stranger, {})).toEqual([]);
  });
});

describe("the team", () => {
  it("keeps its last owner, who can be neither demoted nor removed", async () => {
    const { owner, other } = await team("admin");
    const user_id = owner.actor.userId;
    const lastOwner = { code: "conflict", details: { reason: "last_owner" } };
    await expect(changeRole.run(owner, { user_id, role: "admin" })).rejects.toMatchObject(lastOwner);
    await expect(removeMember.run(owner, { user_id })).rejects.toMatchObject(lastOwner);
    await changeRole.run(owner, { user_id: other.actor.userId, role: "owner" });
    await changeRole.run(owner, { user_id, role: "member" });
    expect((await again(owner)).actor.role).toBe("member");
  });

  it("keeps an owner when two owners demote each other at once", async () => {
    const { owner, other } = await team("owner");
    const both = await Promise.allSettled([
      changeRole.run(owner, { user_id: other.actor.userId, role: "member" }),
      changeRole.run(other, { user_id: owner.actor.userId, role: "member" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const owners = await t.db.membership.count({ where: { tenantId: owner.actor.tenantId, role: "owner" } });
    expect(owners).toBe(1);
  });

  it("lets an admin neither touch an owner nor make one", async () => {
    const { owner, other: admin } = await team("admin");
    const forbidden = { code: "forbidden" };
    const own = { user_id: admin.actor.userId, role: "owner" } as const;
    await expect(changeRole.run(admin, own)).rejects.toMatchObject(forbidden);
    await expect(changeRole.run(admin, { user_id: owner.actor.userId, role: "member" })).rejects.toMatchObject(
      forbidden,
    );
    await expect(removeMember.run(admin, { user_id: owner.actor.userId })).rejects.toMatchObject(forbidden);
  });

  it("uses the current role, not the one at the start of the request", async () => {
    const { owner, other: admin } = await team("admin");
    await changeRole.run(owner, { user_id: admin.actor.userId, role: "member" });
    const stale = changeRole.run(admin, { user_id: admin.actor.userId, role: "admin" });
    await expect(stale).rejects.toMatchObject({ code: "forbidden" });
  });

  it("ends the sessions of a removed member immediately, only in that tenant", async () => {
    const { owner, other } = await team("member");
    await removeMember.run(owner, { user_id: other.actor.userId });
    expect(await authenticateSession(t.ctx, other.cookie.split(";")[0])).toBeUndefined();
    const back = logIn.run(t.visitor(), { email: other.email, password: PASSWORD });
    await expect(back).rejects.toMatchObject({ code: "forbidden", details: { reason: "no_tenant" } });
    expect(await authenticateSession(t.ctx, owner.cookie.split(";")[0])).toBeDefined();
  });

  it("can be left by anyone but the last owner", async () => {
    const { other } = await team("member");
    await removeMember.run(other, { user_id: other.actor.userId });
    expect(await authenticateSession(t.ctx, other.cookie.split(";")[0])).toBeUndefined();
  });

  it("of another tenant cannot be touched or seen", async () => {
    const [owner, stranger] = [await t.person(newEmail()), await t.person(newEmail())];
    const user_id = owner.actor.userId;
    const notFound = { code: "not_found" };
    await expect(changeRole.run(stranger, { user_id, role: "member" })).rejects.toMatchObject(notFound);
    await expect(removeMember.run(stranger, { user_id })).rejects.toMatchObject(notFound);
    expect((await listMembers.run(stranger, {})).map(({ email }) => email)).toEqual([stranger.email]);
  });

  it("cannot be changed by an API key", async () => {
    const { actor } = await t.person(newEmail());
    const scopes = actor.scopes;
    const key = {
      kind: "key",
      keyId: "key_1",
      projectId: "prj_1",
      mode: "live",
      tenantId: actor.tenantId,
      scopes,
    } as const;
    const ctx = { ...t.visitor(), cursorKey: t.cursorKey, actor: key };
    await expect(listMembers.run(ctx, {})).rejects.toMatchObject({ code: "forbidden" });
    await expect(renameTenant.run(ctx, { name: "Taken" })).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("tenants and sessions", () => {
  it("are renamed by an owner, not by a member", async () => {
    const { owner, other: member } = await team("member");
    expect((await renameTenant.run(owner, { name: "Acme" })).name).toBe("Acme");
    await expect(renameTenant.run(member, { name: "Mine" })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("are switched only to a tenant that the person belongs to", async () => {
    const [owner, guest] = [await t.person(newEmail()), await t.person(newEmail())];
    const there = switchTenant.run(guest, { tenant_id: owner.actor.tenantId });
    await expect(there).rejects.toMatchObject({ code: "not_found" });
    await inviteMember.run(owner, { email: guest.email, role: "member" });
    await acceptInvitation.run(guest, { token: await t.tokenFor(guest.email) });
    const home = await switchTenant.run(guest, { tenant_id: guest.actor.tenantId });
    expect((await again(guest)).actor.tenantId).toBe(home.id);
  });

  it("are listed and ended only by their own person", async () => {
    const [ada, eve] = [await t.person(newEmail()), await t.person(newEmail())];
    t.clock.advance(1000);
    await logIn.run(t.visitor(), { email: ada.email, password: PASSWORD });
    const [newer, older] = await listSessions.run(ada, {});
    expect([newer?.current, older?.current]).toEqual([false, true]);
    expect(newer).toMatchObject({ user_agent: "Firefox", created_at: t.clock.now().toISOString() });
    const session_id = newer?.id ?? "";
    await expect(revokeSession.run(eve, { session_id })).rejects.toMatchObject({ code: "not_found" });
    await revokeSession.run(ada, { session_id });
    expect(await listSessions.run(ada, {})).toHaveLength(1);
  });
});

describe("an installation with sign-up by invitation and without email", () => {
  it("allows sign-up only with an operator's link, once, and stores no email", async () => {
    const closed = await identityTest({ signup: "invite", publicUrl: "https://svc.example" });
    const input = { email: "first@example.com", password: PASSWORD };
    const refused = signUp.run(closed.visitor(), input);
    await expect(refused).rejects.toMatchObject({ code: "forbidden", details: { reason: "signup_closed" } });
    const { link } = await inviteByOperator(closed.ctx, { email: input.email });
    expect(link).toMatch(/^https:\/\/svc\.example\/invitation\?token=[a-z2-7]{52}$/);
    const owner = await closed.person(input.email, link.split("token=")[1]);
    expect(owner.actor.role).toBe("owner");
    const invited = await inviteMember.run(owner, { email: "second@example.com", role: "member" });
    const second = await closed.person("second@example.com", invited.link?.split("token=")[1]);
    expect(second.actor.tenantId).toBe(owner.actor.tenantId);
    expect(await closed.db.email.count()).toBe(0);
    await closed.close();
  });
});
