import { describe, expect, it } from "vitest";
import { identityTest, PASSWORD } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { ATTEMPTS } from "../attempts";
import { signUp } from "../sign-up/sign-up";
import { CANDIDATES_MAX } from "../users/find-account";
import { authenticateSession } from "./authenticate-session";
import { logIn } from "./log-in";
import { logOut } from "./log-out";
import { revokeOtherSessions } from "./revoke-other-sessions";

const t = await openForFile(identityTest({ publicUrl: "https://svc.example" }));

describe("sign-up", () => {
  it("creates a user, a tenant that they own, its project `default`, and a session", async () => {
    const signedIn = await signUp.run(t.visitor(), { email: "new@example.com", password: PASSWORD });
    expect(signedIn.tenant.name).toBe("new");
    const { actor } = await t.personOf(signedIn.cookie);
    expect(actor).toMatchObject({ kind: "person", role: "owner", tenantId: signedIn.tenant.id });
    const projects = await t.db.project.findMany({ where: { tenantId: signedIn.tenant.id } });
    expect(projects.map(({ name }) => name)).toEqual(["default"]);
  });

  it("stores neither the password nor the session token in plain text", async () => {
    const { cookie } = await signUp.run(t.visitor(), { email: "clear@example.com", password: PASSWORD });
    const token = /svc_session=([^;]+)/.exec(cookie)?.[1] ?? "";
    expect(token).toMatch(/^[a-z2-7]{40}$/);
    const tables = await Promise.all([t.db.user.findMany(), t.db.session.findMany()]);
    expect(JSON.stringify(tables)).not.toContain(token);
    expect(JSON.stringify(tables)).not.toContain(PASSWORD);
    expect(tables[0][0]?.passwordHash).toMatch(/^\$argon2id\$/);
  });

  it("keeps a client's address only as a pseudonym", async () => {
    await signUp.run(t.visitor("203.0.113.77"), { email: "address@example.com", password: PASSWORD });
    const sessions = await t.db.session.findMany({ where: { user: { email: "address@example.com" } } });
    expect(sessions[0]?.addressHash).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(sessions)).not.toContain("203.0.113.77");
  });

  it("marks the cookie Secure, HttpOnly and SameSite=Lax with https", async () => {
    const { cookie } = await signUp.run(t.visitor(), { email: "cookie@example.com", password: PASSWORD });
    expect(cookie).toMatch(/^svc_session=.*HttpOnly.*; Path=\/; SameSite=Lax; Secure$/);
  });

  it("treats an address in any case as the same address", () => {
    const email = signUp.input.parse({ email: " Twin@Example.COM ", password: PASSWORD }).email;
    expect(email).toBe("twin@example.com");
  });

  it("names the rule when a password is too short or too long", () => {
    for (const password of ["ninechars", "x".repeat(201)]) {
      const refused = signUp.input.safeParse({ email: "a@example.com", password });
      expect(refused.error?.issues[0]?.message).toBe("expected a password of 10 to 200 characters");
    }
  });
});

describe("login", () => {
  it("opens a session for the right password", async () => {
    await t.person("ada@example.com");
    const { cookie, user } = await logIn.run(t.visitor(), { email: "ada@example.com", password: PASSWORD });
    expect(user.email).toBe("ada@example.com");
    expect((await t.personOf(cookie)).email).toBe("ada@example.com");
  });

  it("compares as many hashes and fails with the same error for an unknown account and a wrong password", async () => {
    await t.person("bob@example.com");
    const attempt = async (email: string) => {
      const before = t.hasher.comparisons;
      const error = await logIn
        .run(t.visitor(), { email, password: "wrong password" })
        .catch((cause: unknown) => cause);
      return { error, comparisons: t.hasher.comparisons - before };
    };
    const [known, unknown] = [await attempt("bob@example.com"), await attempt("nobody@example.com")];
    expect(known.error).toMatchObject({ code: "unauthorized" });
    expect(unknown).toEqual(known);
    expect(unknown.comparisons).toBe(CANDIDATES_MAX);
  });

  it("limits the attempts on one account, whatever their addresses", async () => {
    const attempt = () => logIn.run(t.visitor(), { email: "guessed@example.com", password: "wrong password" });
    for (let i = 0; i < ATTEMPTS.password.burst; i++)
      await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 30 });
    t.clock.advance(30_000);
    await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("limits the attempts from one address, whatever the accounts; an IPv6 /64 is one address", async () => {
    const attempt = (i: number) =>
      logIn.run(t.visitor(`2001:db8:1:2::${i.toString(16)}`), {
        email: `v6-${i}@example.com`,
        password: "wrong password",
      });
    for (let i = 0; i < ATTEMPTS.passwordAddress.burst; i++) {
      await expect(attempt(i)).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(attempt(999)).rejects.toMatchObject({ code: "rate_limited" });
  });
});

describe("sessions", () => {
  it("ends with logout, and the returned cookie clears the one of the browser", async () => {
    const person = await t.person("out@example.com");
    const { cookie } = await logOut.run(person, {});
    expect(cookie).toMatch(/^svc_session=; .*Max-Age=0/);
    expect(await authenticateSession(t.ctx, person.cookie.split(";")[0])).toBeUndefined();
  });

  it("is extended once half of its thirty days has passed, and ends thirty days after the last extension", async () => {
    const { cookie } = await t.person("slide@example.com");
    const header = cookie.split(";")[0];
    const days = (count: number) => t.clock.advance(count * 86_400_000);
    days(14);
    expect(await authenticateSession(t.ctx, header)).not.toHaveProperty("cookie");
    days(2);
    expect((await authenticateSession(t.ctx, header))?.cookie).toContain(header);
    days(29);
    expect(await authenticateSession(t.ctx, header)).toBeDefined();
    days(31);
    expect(await authenticateSession(t.ctx, header)).toBeUndefined();
  });

  it("is found among other cookies, and a malformed or forged cookie is rejected", async () => {
    const { cookie } = await t.person("jar@example.com");
    const own = cookie.split(";")[0] ?? "";
    expect(await authenticateSession(t.ctx, `theme=dark; ${own}; other=1`)).toBeDefined();
    const forged = ["", "svc_session=%E0%A4%A", "svc_session=", `x${own}`, `${own}a`, `svc_session=${"a".repeat(40)}`];
    for (const header of forged) expect(await authenticateSession(t.ctx, header)).toBeUndefined();
    expect(await authenticateSession(t.ctx, null)).toBeUndefined();
  });

  it("cannot be opened with the stored hash", async () => {
    const { actor } = await t.person("stolen@example.com");
    expect(await authenticateSession(t.ctx, `svc_session=${actor.sessionId}`)).toBeUndefined();
  });

  it("ends everywhere else on request, but not here", async () => {
    const here = await t.person("many@example.com");
    const there = await logIn.run(t.visitor(), { email: "many@example.com", password: PASSWORD });
    expect(await revokeOtherSessions.run(here, {})).toEqual({ ended_sessions: 1 });
    expect(await authenticateSession(t.ctx, there.cookie.split(";")[0])).toBeUndefined();
    expect(await authenticateSession(t.ctx, here.cookie.split(";")[0])).toBeDefined();
  });
});
