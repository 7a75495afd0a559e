import { Client } from "pg";
import { describe, expect, it, vi } from "vitest";
import { identityTest, PASSWORD } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { ATTEMPTS } from "../attempts";
import { recordFailedSignIn } from "../log-ins/record-failed-sign-in";
import { resetPassword } from "../passwords/reset-password";
import { resetPasswordByOperator } from "../passwords/reset-password-by-operator";
import { sendPasswordReset } from "../passwords/send-password-reset";
import { seedAccount } from "../seed-account";
import { logIn } from "../sessions/log-in";
import { CANDIDATES_MAX } from "../users/find-account";
import { resendVerification } from "../users/resend-verification";
import { verifyEmail } from "../users/verify-email";
import { signUp } from "./sign-up";

const THEIRS = "the password of another";

const t = await openForFile(identityTest());

/** A person who has verified the address. */
async function verified(email: string) {
  const person = await t.person(email);
  await verifyEmail.run(t.visitor(), { token: await t.tokenFor(email) });
  t.clock.advance(1);
  return person;
}

async function signUpAs(email: string, password = THEIRS) {
  const signedIn = await signUp.run(t.visitor(), { email, password });
  t.clock.advance(1);
  return t.personOf(signedIn.cookie);
}

/** What the pool sends by itself, at any moment: settings of a new connection, and the check that the server responds. */
const CONNECTION = /^\s*(set\b|select set_config|select pg_backend_pid|select 1$)/i;
const textOf = ([query]: unknown[]): string =>
  typeof query === "string" ? query : ((query as { text?: string } | undefined)?.text ?? "");

const userIdOf = async (email: string, password: string): Promise<string | undefined> =>
  logIn.run(t.visitor(), { email, password }).then(
    ({ user }) => user.id,
    () => undefined,
  );

describe("signing up", () => {
  it("reveals neither in its response nor in its statements whether the address has a verified account", async () => {
    await verified("known@example.com");
    const traces = async (email: string) => {
      const before = { hashes: t.hasher.hashes, comparisons: t.hasher.comparisons };
      const query = vi.spyOn(Client.prototype, "query");
      const { user, tenant, cookie, deviceCookie, ...rest } = await signUp.run(t.visitor(), {
        email,
        password: THEIRS,
      });
      const statements = query.mock.calls
        .map(textOf)
        .filter((text) => !CONNECTION.test(text))
        .sort();
      query.mockRestore();
      const work = [t.hasher.hashes - before.hashes, t.hasher.comparisons - before.comparisons];
      const shapeOf = (text: string) => text.replaceAll(/[0-9a-z]{26,}|[0-9a-f]{8,}/g, "…");
      return {
        rest,
        statements,
        work,
        verified: user.email_verified_at,
        tenantFields: Object.keys(tenant),
        cookies: [cookie, deviceCookie].map(shapeOf),
        letters: (await t.lettersTo(email)).length - (email === "known@example.com" ? 1 : 0),
        tokens: await t.db.authToken.count({ where: { userId: user.id } }),
      };
    };
    // The first one also opens what later ones find open.
    await traces("first-ever@example.com");
    const known = await traces("known@example.com");
    expect(known).toEqual(await traces("fresh@example.com"));
    expect(known).toMatchObject({ verified: null, letters: 1, tokens: 1 });
    expect(known.statements.length).toBeGreaterThan(5);
  });

  it("opens a session in a new tenant, and does not change the known account", async () => {
    const owner = await verified("owner@example.com");
    const stranger = await signUpAs("owner@example.com");
    expect(stranger.actor.tenantId).not.toBe(owner.actor.tenantId);
    expect(stranger.actor.userId).not.toBe(owner.actor.userId);
    expect(await userIdOf("owner@example.com", PASSWORD)).toBe(owner.actor.userId);
    expect(await userIdOf("owner@example.com", THEIRS)).toBe(stranger.actor.userId);
  });

  it("emails the address that it has an account, without a link that verifies the new one", async () => {
    await verified("told@example.com");
    await signUpAs("told@example.com");
    const note = (await t.lettersTo("told@example.com")).at(-1);
    expect(note?.subject).toBe("You already have an account");
    expect(note?.text).toContain("http://localhost:3000/log-in");
    expect(note?.text).not.toMatch(/token=/);
  });

  it("limits the emails to one address, known or not, while sign-up still works", async () => {
    await verified("bombed@example.com");
    for (const email of ["bombed@example.com", "unknown@example.com"]) {
      for (let i = 0; i < ATTEMPTS.verificationMail.burst + 5; i++) await signUpAs(email);
      expect([email, (await t.lettersTo(email)).length]).toEqual([email, ATTEMPTS.verificationMail.burst]);
    }
  });

  it("sends the notice again, and never the link, on a repeated request for the link", async () => {
    await verified("again@example.com");
    const stranger = await signUpAs("again@example.com");
    expect(await resendVerification.run(stranger, {})).toEqual({ sent: true });
    expect((await t.lettersTo("again@example.com")).at(-1)?.text).not.toMatch(/token=/);
  });
});

describe("verifying", () => {
  it("works for the first of several accounts of an address, and fails with a clear sentence for the others", async () => {
    const email = "first@example.com";
    const first = await t.person(email);
    const firstToken = await t.tokenFor(email);
    const second = await signUpAs(email);
    const secondToken = await t.tokenFor(email);
    const uses = await Promise.allSettled(
      [firstToken, secondToken].map((token) => verifyEmail.run(t.visitor(), { token })),
    );
    expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(uses.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "conflict", message: expect.stringContaining("Another account has confirmed this address") },
    });
    const rows = await t.db.user.findMany({ where: { id: { in: [first.actor.userId, second.actor.userId] } } });
    expect(rows.filter(({ emailVerifiedAt }) => emailVerifiedAt)).toHaveLength(1);
  });
});

describe("login by address", () => {
  it("costs the same comparisons whatever accounts the address has", async () => {
    await verified("several@example.com");
    for (let i = 0; i < 6; i++) await signUpAs("several@example.com", `${THEIRS} ${i}`);
    await signUpAs("unverified@example.com");
    for (const email of ["several@example.com", "unverified@example.com", "nobody@example.com"]) {
      for (const password of ["a wrong password", PASSWORD, `${THEIRS} 5`]) {
        const before = t.hasher.comparisons;
        await userIdOf(email, password);
        expect([email, t.hasher.comparisons - before]).toEqual([email, CANDIDATES_MAX]);
      }
    }
  });

  it("finds the verified account however many strangers sign up after it", async () => {
    const owner = await verified("crowded@example.com");
    for (let i = 0; i < 6; i++) await signUpAs("crowded@example.com");
    expect(await userIdOf("crowded@example.com", PASSWORD)).toBe(owner.actor.userId);
  });

  it("finds an unverified account from its own browser however many strangers sign up after it", async () => {
    const email = "pushed@example.com";
    const { user, deviceCookie } = await signUp.run(t.visitor(), { email, password: PASSWORD });
    for (let i = 0; i < 6; i++) {
      t.clock.advance(1);
      await signUpAs(email);
    }
    const browser = t.visitor();
    const cookies = deviceCookie.split(";")[0] ?? "";
    const ctx = { ...browser, request: { ...browser.request, browser: { cookies, origin: undefined } } };
    expect((await logIn.run(ctx, { email, password: PASSWORD })).user.id).toBe(user.id);
  });

  it("that fails is recorded only for the tenants of the verified account: others may use the address too", async () => {
    const owner = await verified("watched@example.com");
    const stranger = await signUpAs("watched@example.com");
    await expect(
      logIn.run(t.visitor(), { email: "watched@example.com", password: "wrong password" }),
    ).rejects.toThrow();
    const at = t.clock.now();
    await recordFailedSignIn(t.ctx, { email: "watched@example.com", at, request: t.visitor().request });
    const failed = (tenantId: string) => t.db.auditEntry.count({ where: { tenantId, action: "user.sign_in_failed" } });
    expect([await failed(owner.actor.tenantId), await failed(stranger.actor.tenantId)]).toEqual([1, 0]);
  });
});

describe("a password reset", () => {
  it("goes to the verified account, not to a newer one of the same address", async () => {
    const email = "reset@example.com";
    const owner = await verified(email);
    const stranger = await signUpAs(email);
    await sendPasswordReset(t.ctx, { email, request: t.visitor().request });
    await resetPassword.run(t.visitor(), { token: await t.tokenFor(email), password: "a third long password" });
    expect(await userIdOf(email, "a third long password")).toBe(owner.actor.userId);
    expect(await userIdOf(email, THEIRS)).toBe(stranger.actor.userId);
    const set = await resetPasswordByOperator(t.ctx, { email, with: "password" });
    expect(await userIdOf(email, "password" in set ? set.password : "")).toBe(owner.actor.userId);
  });

  it("goes to the newest account where none is verified", async () => {
    const email = "newest@example.com";
    await t.person(email);
    const newest = await signUpAs(email);
    const set = await resetPasswordByOperator(t.ctx, { email, with: "password" });
    expect(await userIdOf(email, "password" in set ? set.password : "")).toBe(newest.actor.userId);
  });
});

it("seeds the demo next to an unverified account of its address, and does not use that one", async () => {
  const stranger = await signUpAs("demo@svc.example");
  const seed = { email: "demo@svc.example", password: PASSWORD, tenantName: "Demo", isDemo: true };
  const seeded = await seedAccount(t.ctx, seed);
  expect(seeded.tenantId).not.toBe(stranger.actor.tenantId);
  expect(await seedAccount(t.ctx, seed)).toEqual({ ...seeded, keys: undefined });
  expect(await userIdOf(seed.email, PASSWORD)).toBe(seeded.userId);
});
