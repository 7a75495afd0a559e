import { describe, expect, it, vi } from "vitest";
import { identityTest, PASSWORD, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { acceptInvitation } from "../invitations/accept-invitation";
import { inviteMember } from "../invitations/invite-member";
import { RecordFailedSignIn, recordFailedSignIn } from "../log-ins/record-failed-sign-in";
import { changePassword } from "../passwords/change-password";
import { resetPassword } from "../passwords/reset-password";
import { resetPasswordByOperator } from "../passwords/reset-password-by-operator";
import { sendPasswordReset } from "../passwords/send-password-reset";
import { logIn } from "../sessions/log-in";
import { changeRole } from "../tenants/change-role";
import { renameTenant } from "../tenants/rename-tenant";
import { listAudit } from "./list-audit";

const t = await openForFile(identityTest());

const entriesOf = async (person: Person, action = "user.*") =>
  (await listAudit.run(person, listAudit.input.parse({ action }))).data;
const fail = (email: string) =>
  logIn.run(t.visitor("203.0.113.9"), { email, password: "wrong password" }).catch(() => undefined);
/** Runs the jobs that workers would run. */
async function runJobs(): Promise<void> {
  const { rows } = await t.sql.query<{ payload: unknown }>(
    "DELETE FROM graphile_worker._private_jobs RETURNING payload, task_id",
  );
  for (const { payload } of rows) await recordFailedSignIn(t.ctx, RecordFailedSignIn.parse(payload));
}

/** A person who belongs to their own tenant and to another person's. */
async function memberOfTwo(email: string): Promise<{ host: Person; guest: Person }> {
  const [host, guest] = [await t.person(`host-of-${email}`), await t.person(email)];
  await inviteMember.run(host, { email, role: "member" });
  await acceptInvitation.run(guest, { token: await t.tokenFor(email) });
  return { host, guest };
}

describe("a failed sign-in", () => {
  it("is recorded by a job for every tenant of a known account, with its origin", async () => {
    const { host, guest } = await memberOfTwo("two@example.com");
    await fail(guest.email);
    await runJobs();
    for (const person of [host, guest]) {
      const [entry] = await entriesOf(person, "user.sign_in_failed");
      expect(entry).toMatchObject({
        actor: { type: "visitor" },
        targets: [{ type: "user", id: guest.actor.userId, name: guest.email }],
        context: { address: "203.0.113.9", user_agent: "Firefox" },
      });
    }
  });

  it("does the same work for an unknown address, so that nothing reveals whether it has an account", async () => {
    await t.person("known@example.com");
    const statements = async (email: string) => {
      const query = vi.spyOn(t.sql, "query");
      await fail(email);
      const texts = query.mock.calls.map(([call]) => (call as unknown as { text: string }).text);
      query.mockRestore();
      return texts;
    };
    const known = await statements("known@example.com");
    expect(known.join()).toContain("add_job");
    expect(await statements("unknown@example.com")).toEqual(known);
    const before = await t.db.auditEntry.count();
    await runJobs();
    expect(await t.db.auditEntry.count()).toBe(before + 1);
  });
});

describe("a change of password", () => {
  it("is recorded for every tenant of the account, with its actor", async () => {
    const { host, guest } = await memberOfTwo("password@example.com");
    await changePassword.run(guest, { current_password: PASSWORD, new_password: "another long password" });
    // The newest email is found by its time.
    t.clock.advance(1);
    await sendPasswordReset(t.ctx, { email: guest.email, request: t.visitor().request });
    await resetPassword.run(t.visitor(), { token: await t.tokenFor(guest.email), password: PASSWORD });
    await resetPasswordByOperator(t.ctx, { email: guest.email, with: "link" });
    for (const person of [host, guest]) {
      const entries = (await entriesOf(person)).filter(({ action }) => action.startsWith("user.password"));
      expect(entries.map(({ action, actor: { type } }) => [action, type])).toEqual([
        ["user.password_reset_requested", "operator"],
        ["user.password_reset", "user"],
        ["user.password_reset_requested", "visitor"],
        ["user.password_changed", "user"],
      ]);
      expect(entries[0]?.context).toEqual({});
    }
  });
});

describe("the log", () => {
  it("records a change of role and of name once, and nothing if nothing changed", async () => {
    const { host, guest } = await memberOfTwo("role@example.com");
    const user_id = guest.actor.userId;
    for (let i = 0; i < 2; i++) {
      await changeRole.run(host, { user_id, role: "admin" });
      await renameTenant.run(host, { name: "Acme" });
    }
    const roles = await entriesOf(host, "member.role_changed");
    expect(roles.map(({ details }) => details)).toEqual([{ changes: { role: { from: "member", to: "admin" } } }]);
    const names = await entriesOf(host, "tenant.updated");
    expect(names.map(({ details }) => details)).toEqual([{ changes: { name: { from: "host-of-role", to: "Acme" } } }]);
  });

  it("contains no password, no session token and no token of an email", async () => {
    const { guest } = await memberOfTwo("secret@example.com");
    await fail(guest.email);
    await runJobs();
    const token = await t.tokenFor(guest.email);
    const cookie = /svc_session=([^;]+)/.exec(guest.cookie)?.[1] ?? "";
    const texts = JSON.stringify(await t.db.auditEntry.findMany(), (_name, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const secret of [PASSWORD, "wrong password", token, cookie]) expect(texts).not.toContain(secret);
  });
});
