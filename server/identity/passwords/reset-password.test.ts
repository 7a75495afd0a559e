import { describe, expect, it, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { identityTest, PASSWORD } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { startJobs } from "../../engines/jobs/start-jobs";
import { ATTEMPTS } from "../attempts";
import { sweepExpired } from "../expired/sweep-expired";
import { authenticateSession } from "../sessions/authenticate-session";
import { logIn } from "../sessions/log-in";
import { openSession } from "../sessions/open-session";
import { resendVerification } from "../users/resend-verification";
import { verifyEmail } from "../users/verify-email";
import { changePassword } from "./change-password";
import { passwordsPart } from "./passwords.part";
import { requestPasswordReset } from "./request-password-reset";
import { resetPassword } from "./reset-password";
import { resetPasswordByOperator } from "./reset-password-by-operator";
import { sendPasswordReset } from "./send-password-reset";

const NEW_PASSWORD = "another long password";
const HOUR_MS = 3_600_000;

const t = await openForFile(identityTest());

const logsIn = (email: string, password: string): Promise<boolean> =>
  logIn.run(t.visitor(), { email, password }).then(
    () => true,
    () => false,
  );
const isOpen = async (cookie: string) => (await authenticateSession(t.ctx, cookie.split(";")[0])) !== undefined;

/** A person with a reset link in their emails. */
async function forgetful(email: string) {
  const person = await t.person(email);
  await sendPasswordReset(t.ctx, { email, request: t.visitor().request });
  return { person, token: await t.tokenFor(email) };
}

describe("requesting a reset", () => {
  it("responds the same and does the same work for an unknown account: one job", async () => {
    await t.person("known@example.com");
    const traces = async (email: string) => {
      const query = vi.spyOn(t.sql, "query");
      const answer = await requestPasswordReset.run(t.visitor(), { email });
      const queries = query.mock.calls.length;
      query.mockRestore();
      const jobs = await t.sql.query("select task_identifier from graphile_worker.jobs");
      await t.sql.query("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs");
      return { answer, queries, jobs: jobs.rows, letters: (await t.lettersTo(email)).length };
    };
    const known = await traces("known@example.com");
    const unknown = await traces("unknown@example.com");
    expect(known.jobs).toEqual([{ task_identifier: "send_password_reset" }]);
    expect(unknown).toEqual({ ...known, letters: 0 });
    expect(known.letters).toBe(1); // only the verification email
  });

  it("emails a link to an account in a worker, and nothing to an address without one", async () => {
    await t.person("mailed@example.com");
    for (const email of ["mailed@example.com", "stranger@example.com"])
      await requestPasswordReset.run(t.visitor(), { email });
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const { tasks = {} } = (await passwordsPart.start?.(t.ctx)) ?? {};
    const worker = await startJobs({ pool: t.sql, alarms: testAlarms(t), tasks, log });
    const idle = async () => (await t.sql.query("select 1 from graphile_worker.jobs")).rowCount === 0;
    await vi.waitUntil(idle, { timeout: 20_000 });
    await worker.stop();
    const [, reset] = await t.lettersTo("mailed@example.com");
    expect(reset?.text).toMatch(/\nhttp:\/\/localhost:3000\/reset-password\?token=[a-z2-7]{52}\n/);
    expect(await t.lettersTo("stranger@example.com")).toEqual([]);
  });

  it("limits the emails to one account", async () => {
    const ask = () => requestPasswordReset.run(t.visitor(), { email: "flooded@example.com" });
    for (let i = 0; i < ATTEMPTS.mail.burst; i++) await ask();
    await expect(ask()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 300 });
  });
});

describe("a reset link", () => {
  it("sets the password once, ends every session and every other link", async () => {
    const { person, token } = await forgetful("reset@example.com");
    t.clock.advance(1);
    await sendPasswordReset(t.ctx, { email: person.email, request: t.visitor().request });
    const second = await t.tokenFor(person.email);
    expect(await resetPassword.run(t.visitor(), { token, password: NEW_PASSWORD })).toEqual({ email: person.email });
    expect(await isOpen(person.cookie)).toBe(false);
    expect([await logsIn(person.email, PASSWORD), await logsIn(person.email, NEW_PASSWORD)]).toEqual([false, true]);
    for (const used of [token, second]) {
      const again = resetPassword.run(t.visitor(), { token: used, password: PASSWORD });
      await expect(again).rejects.toMatchObject({ code: "invalid_request", param: "token" });
    }
  });

  it("works for exactly one of many who use it at once", async () => {
    const { person, token } = await forgetful("race@example.com");
    const passwords = Array.from({ length: 5 }, (_, i) => `password number ${i}`);
    const uses = await Promise.allSettled(
      passwords.map((password) => resetPassword.run(t.visitor(), { token, password })),
    );
    const winner = uses.findIndex(({ status }) => status === "fulfilled");
    expect(uses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const [i, password] of passwords.entries()) expect(await logsIn(person.email, password)).toBe(i === winner);
  });

  it("expires after an hour, and then costs no hash", async () => {
    const { person, token } = await forgetful("late@example.com");
    t.clock.advance(HOUR_MS);
    const before = t.hasher.hashes;
    const late = resetPassword.run(t.visitor(), { token, password: NEW_PASSWORD });
    await expect(late).rejects.toMatchObject({ details: { reason: "token_invalid" } });
    expect(t.hasher.hashes).toBe(before);
    expect(await logsIn(person.email, PASSWORD)).toBe(true);
  });

  it("is kept as a hash alone, and a verification link is none", async () => {
    const { person, token } = await forgetful("hashed@example.com");
    expect(JSON.stringify(await t.db.authToken.findMany())).not.toContain(token);
    const [verification] = await t.lettersTo(person.email);
    const other = /token=([a-z2-7]+)/.exec(verification?.text ?? "")?.[1] ?? "";
    const misused = resetPassword.run(t.visitor(), { token: other, password: NEW_PASSWORD });
    await expect(misused).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("leaves no session that the old password opened at the same time", async () => {
    const { person, token } = await forgetful("overlap@example.com");
    const user = await t.db.user.findFirstOrThrow({ where: { email: person.email } });
    await resetPassword.run(t.visitor(), { token, password: NEW_PASSWORD });
    // A login that compared the old hash just before, and opens its session just after.
    const late = openSession(t.visitor(), user, person.actor.tenantId);
    await expect(late).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("changing the password", () => {
  it("requires the current one, and ends every other session and reset link", async () => {
    const { person, token } = await forgetful("change@example.com");
    const other = await logIn.run(t.visitor(), { email: person.email, password: PASSWORD });
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    expect(await changePassword.run(person, change)).toEqual({ ended_sessions: 1 });
    expect([await isOpen(person.cookie), await isOpen(other.cookie)]).toEqual([true, false]);
    await expect(resetPassword.run(t.visitor(), { token, password: PASSWORD })).rejects.toThrow();
    await expect(changePassword.run(person, change)).rejects.toMatchObject({ param: "current_password" });
  });
});

describe("verification", () => {
  it("marks the address as verified, once per link, and is sent again until then", async () => {
    const person = await t.person("verify@example.com");
    expect(await resendVerification.run(person, {})).toEqual({ sent: true });
    const token = await t.tokenFor(person.email);
    expect(await verifyEmail.run(t.visitor(), { token })).toEqual({ email: person.email });
    const session = await authenticateSession(t.ctx, person.cookie.split(";")[0]);
    expect(session?.user.email_verified_at).toBe(t.clock.now().toISOString());
    await expect(verifyEmail.run(t.visitor(), { token })).rejects.toMatchObject({ code: "invalid_request" });
    expect(await resendVerification.run(person, {})).toEqual({ sent: false });
  });
});

describe("the operator", () => {
  it("sets a random password and ends every session, or creates a link that works once", async () => {
    const person = await t.person("operated@example.com");
    const set = await resetPasswordByOperator(t.ctx, { email: person.email, with: "password" });
    if (!("password" in set)) throw new Error("Expected a password.");
    expect(await isOpen(person.cookie)).toBe(false);
    expect(await logsIn(person.email, set.password)).toBe(true);
    const handed = await resetPasswordByOperator(t.ctx, { email: person.email, with: "link" });
    if (!("link" in handed)) throw new Error("Expected a link.");
    const token = handed.link.split("token=")[1] ?? "";
    await resetPassword.run(t.visitor(), { token, password: NEW_PASSWORD });
    expect(await logsIn(person.email, NEW_PASSWORD)).toBe(true);
    const missing = resetPasswordByOperator(t.ctx, { email: "absent@example.com", with: "link" });
    await expect(missing).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the hourly sweep", () => {
  it("deletes expired sessions, links and emails, and nothing else", async () => {
    await t.person("swept@example.com");
    t.clock.advance(31 * 24 * HOUR_MS);
    const fresh = await t.person("kept@example.com");
    await sweepExpired(t.ctx);
    const users = (rows: { userId: string }[]) => [...new Set(rows.map(({ userId }) => userId))];
    expect(users(await t.db.session.findMany())).toEqual([fresh.actor.userId]);
    expect(users(await t.db.authToken.findMany())).toEqual([fresh.actor.userId]);
    expect((await t.db.email.findMany()).map(({ to }) => to)).toEqual([fresh.email]);
  });
});
