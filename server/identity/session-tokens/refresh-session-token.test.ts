import { describe, expect, it, vi } from "vitest";
import { identityTest, PASSWORD } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { sha256 } from "../../kernel/secrets";
import { ATTEMPTS } from "../attempts";
import { sweepExpired } from "../expired/sweep-expired";
import type { VisitorCtx } from "../identity-ctx";
import { removeMember } from "../tenants/remove-member";
import { CANDIDATES_MAX } from "../users/find-account";
import { createSessionToken } from "./create-session-token";
import { endSessionToken } from "./end-session-token";
import { refreshSessionToken } from "./refresh-session-token";

const DAY_MS = 86_400_000;

const t = await openForFile(identityTest({ publicUrl: "https://svc.example" }));

/** A browser that sends a `Set-Cookie` value back. */
const browser = (cookie = "", origin?: string): VisitorCtx => {
  const visitor = t.visitor();
  return { ...visitor, request: { ...visitor.request, browser: { cookies: cookie.split(";")[0] ?? "", origin } } };
};
const logIn = (email: string, tenant_id?: string) =>
  createSessionToken.run(browser(), { email, password: PASSWORD, tenant_id });
const refresh = (cookie: string) => refreshSessionToken.run(browser(cookie), {});
const tokenIn = (cookie: string) => /=([a-z2-7]{52});/.exec(cookie)?.[1] ?? "";
const familiesOf = (email: string) => t.db.refreshFamily.findMany({ where: { user: { email } } });
const actionsOf = async (tenantId: string) =>
  (await t.db.auditEntry.findMany({ where: { tenantId }, orderBy: { sequence: "asc" } })).map(({ action }) => action);
const failureOf = (attempt: Promise<unknown>) => attempt.then(() => undefined).catch((cause: unknown) => cause);

/** Locks a session until it is released. */
async function holdFamilyOf(email: string): Promise<() => Promise<void>> {
  const [family] = await familiesOf(email);
  const client = await t.sql.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM refresh_families WHERE id = $1 FOR UPDATE", [family?.id]);
  return async () => {
    await client.query("COMMIT");
    client.release();
  };
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await t.sql.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows[0]?.waiting ?? 0;
}

/** A person who has just logged in through the API. */
async function loggedIn(email: string) {
  const person = await t.person(email);
  return { person, session: await logIn(email) };
}

const LOGGED_OUT = { code: "unauthorized", cookie: expect.stringMatching(/^__Secure-svc_refresh=; .*Max-Age=0/) };

describe("login", () => {
  it("returns an access token valid for an hour and, in a cookie only for /v1/auth, a refresh token", async () => {
    const { person, session } = await loggedIn("ada@example.com");
    const { cookie, access_token, ...rest } = session;
    expect(rest).toEqual({ token_type: "Bearer", expires_in: 3600, tenant_id: person.actor.tenantId });
    expect(access_token.split(".")).toHaveLength(3);
    expect(cookie).toMatch(
      /^__Secure-svc_refresh=[a-z2-7]{52}; Path=\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(await actionsOf(person.actor.tenantId)).toContain("user.signed_in");
  });

  it("stores the refresh token and the address only as hashes", async () => {
    const { session } = await loggedIn("clear@example.com");
    const [families, tokens, keys] = await Promise.all([
      familiesOf("clear@example.com"),
      t.db.refreshToken.findMany(),
      t.db.signingKey.findMany(),
    ]);
    expect(families[0]?.addressHash).toMatch(/^[0-9a-f]{32}$/);
    expect(tokens.map(({ hash }) => hash)).toContain(sha256(tokenIn(session.cookie)));
    expect(JSON.stringify([families, tokens, keys])).not.toContain(tokenIn(session.cookie));
  });

  it("compares as many hashes for an unknown account, a wrong password and the right one, and the same error for the first two", async () => {
    await t.person("bob@example.com");
    const attempt = async (email: string, password: string) => {
      const { comparisons, hashes } = t.hasher;
      const error = await failureOf(createSessionToken.run(browser(), { email, password }));
      return { error, compared: t.hasher.comparisons - comparisons, hashed: t.hasher.hashes - hashes };
    };
    const unknown = await attempt("nobody@example.com", "wrong password");
    const wrong = await attempt("bob@example.com", "wrong password");
    expect(unknown).toMatchObject({ error: { code: "unauthorized" }, compared: CANDIDATES_MAX, hashed: 0 });
    expect(wrong).toEqual(unknown);
    expect(await attempt("bob@example.com", PASSWORD)).toEqual({
      error: undefined,
      compared: CANDIDATES_MAX,
      hashed: 0,
    });
  });

  it("shares the limit of attempts on an account with the login of the dashboard", async () => {
    const attempt = () =>
      createSessionToken.run(browser(), { email: "guessed@example.com", password: "wrong password" });
    for (let i = 0; i < ATTEMPTS.password.burst; i++) {
      await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 30 });
  });

  it("limits attempts from one address, whatever the accounts", async () => {
    const visitor = t.visitor("2001:db8:9:9::1");
    const attempt = (i: number) =>
      createSessionToken.run(visitor, { email: `many-${i}@example.com`, password: "wrong password" });
    for (let i = 0; i < ATTEMPTS.passwordAddress.burst; i++) {
      await expect(attempt(i)).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(attempt(999)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("opens the requested tenant, if the person belongs to it", async () => {
    const owner = await t.person("owner@example.com");
    const member = await t.person("member@example.com");
    await t.db.membership.create({
      data: {
        userId: member.actor.userId,
        tenantId: owner.actor.tenantId,
        role: "member",
        createdAt: t.clock.now(),
      },
    });
    expect((await logIn("member@example.com")).tenant_id).toBe(member.actor.tenantId);
    expect((await logIn("member@example.com", owner.actor.tenantId)).tenant_id).toBe(owner.actor.tenantId);
    for (const foreign of [member.actor.tenantId, "ten_unknown"]) {
      await expect(logIn("owner@example.com", foreign)).rejects.toMatchObject({
        code: "forbidden",
        param: "tenant_id",
        details: { reason: "not_a_member" },
      });
    }
  });
});

describe("a refresh", () => {
  it("exchanges the token for the next one and extends the session by thirty days", async () => {
    const { session } = await loggedIn("slide@example.com");
    let { cookie } = session;
    for (let i = 0; i < 3; i++) {
      t.clock.advance(29 * DAY_MS);
      const next = await refresh(cookie);
      expect(tokenIn(next.cookie)).not.toBe(tokenIn(cookie));
      cookie = next.cookie;
    }
    t.clock.advance(30 * DAY_MS);
    await expect(refresh(cookie)).rejects.toMatchObject(LOGGED_OUT);
  });

  it("succeeds for exactly one of two concurrent requests; the other fails as a race and nothing is lost", async () => {
    const { session } = await loggedIn("tabs@example.com");
    const release = await holdFamilyOf("tabs@example.com");
    const under = [refresh(session.cookie), refresh(session.cookie)];
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(2), 30_000);
    await release();
    const both = await Promise.allSettled(under);
    const won = both.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    const lost = both.flatMap((each) => (each.status === "rejected" ? each.reason : []));
    expect(won).toHaveLength(1);
    expect(lost).toEqual([expect.objectContaining({ code: "conflict", details: { reason: "refresh_raced" } })]);
    expect(lost[0]).toMatchObject({ cookie: undefined });
    const [family] = await familiesOf("tabs@example.com");
    expect(await t.db.refreshToken.count({ where: { familyId: family?.id ?? "" } })).toBe(2);
    await expect(refresh(won[0]?.cookie ?? "")).resolves.toMatchObject({ token_type: "Bearer" });
  });

  it("with a used token issues nothing within ten seconds, and after that ends the session of thief and owner", async () => {
    const { person, session } = await loggedIn("stolen@example.com");
    const next = await refresh(session.cookie);
    t.clock.advance(9_999);
    await expect(refresh(session.cookie)).rejects.toMatchObject({ code: "conflict" });
    const [family] = await familiesOf("stolen@example.com");
    expect(await t.db.refreshToken.count({ where: { familyId: family?.id ?? "" } })).toBe(2);
    t.clock.advance(1);
    await expect(refresh(session.cookie)).rejects.toMatchObject(LOGGED_OUT);
    expect(await familiesOf("stolen@example.com")).toEqual([]);
    await expect(refresh(next.cookie)).rejects.toMatchObject(LOGGED_OUT);
    const [entry] = await t.db.auditEntry.findMany({ where: { action: "session.refresh_reused" } });
    expect(entry).toMatchObject({
      tenantId: person.actor.tenantId,
      actor: { type: "visitor" },
      targets: [
        { type: "session", id: family?.id },
        { type: "user", id: person.actor.userId },
      ],
    });
    expect(JSON.stringify(entry, (_name, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(
      tokenIn(session.cookie),
    );
  });

  it("ends only the session whose token was reused", async () => {
    const { session } = await loggedIn("phone@example.com");
    const laptop = await logIn("phone@example.com");
    await refresh(session.cookie);
    t.clock.advance(10_000);
    await expect(refresh(session.cookie)).rejects.toMatchObject(LOGGED_OUT);
    await expect(refresh(laptop.cookie)).resolves.toMatchObject({ expires_in: 3600 });
  });

  it("reads the token from no other cookie, and rejects unknown or malformed ones", async () => {
    const { session } = await loggedIn("jar@example.com");
    const own = session.cookie.split(";")[0] ?? "";
    const forged = ["", own.replace("__Secure-", ""), `x${own}`, `${own}a`, own.slice(0, -1)];
    const unknown = `__Secure-svc_refresh=${"a".repeat(52)}`;
    for (const cookie of [...forged, unknown]) await expect(refresh(cookie)).rejects.toMatchObject(LOGGED_OUT);
    const among = browser();
    among.request.browser = { cookies: `theme=dark; ${own}; other=1`, origin: undefined };
    await expect(refreshSessionToken.run(among, {})).resolves.toMatchObject({ token_type: "Bearer" });
  });

  it("is denied to pages of other origins, as are login and logout, but not to svc's own pages", async () => {
    const { session } = await loggedIn("csrf@example.com");
    for (const origin of ["https://evil.example", "null", "http://svc.example", "https://a.svc.example"]) {
      const foreign = browser(session.cookie, origin);
      const refused = { code: "forbidden", details: { reason: "foreign_origin" } };
      await expect(refreshSessionToken.run(foreign, {})).rejects.toMatchObject(refused);
      await expect(endSessionToken.run(foreign, {})).rejects.toMatchObject(refused);
      const again = createSessionToken.run(foreign, { email: "csrf@example.com", password: PASSWORD });
      await expect(again).rejects.toMatchObject(refused);
    }
    await refreshSessionToken.run(browser(session.cookie, "https://svc.example"), {});
  });
});

describe("logout", () => {
  it("ends the session, also by a token that was used before; a second call changes nothing", async () => {
    const { person, session } = await loggedIn("out@example.com");
    const next = await refresh(session.cookie);
    for (let i = 0; i < 2; i++) {
      expect((await endSessionToken.run(browser(session.cookie), {})).cookie).toMatch(/=; .*Max-Age=0/);
    }
    await expect(refresh(next.cookie)).rejects.toMatchObject(LOGGED_OUT);
    const actions = await actionsOf(person.actor.tenantId);
    expect(actions.filter((action) => action === "session.ended")).toHaveLength(1);
    await expect(endSessionToken.run(browser(), {})).resolves.toHaveProperty("cookie");
  });
});

describe("a session whose basis has ended", () => {
  it("leaves a removed member no refresh token, and keeps those of their other tenants", async () => {
    const owner = await t.person("team@example.com");
    const guest = await t.person("guest@example.com");
    await t.db.membership.create({
      data: { userId: guest.actor.userId, tenantId: owner.actor.tenantId, role: "member", createdAt: t.clock.now() },
    });
    const [here, there] = [await logIn("guest@example.com", owner.actor.tenantId), await logIn("guest@example.com")];
    await removeMember.run(owner, { user_id: guest.actor.userId });
    await expect(refresh(here.cookie)).rejects.toMatchObject(LOGGED_OUT);
    await expect(refresh(there.cookie)).resolves.toMatchObject({ tenant_id: guest.actor.tenantId });
  });

  it("is deleted with its tokens once it has expired", async () => {
    const { session } = await loggedIn("swept@example.com");
    await sweepExpired(t.ctx);
    expect(await familiesOf("swept@example.com")).toHaveLength(1);
    t.clock.advance(30 * DAY_MS);
    await sweepExpired(t.ctx);
    expect(await familiesOf("swept@example.com")).toEqual([]);
    expect(await t.db.refreshToken.count({ where: { hash: sha256(tokenIn(session.cookie)) } })).toBe(0);
  });
});
