import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type IdentityTest, identityTest, PASSWORD } from "../../../test/factories/identity";
import { sha256 } from "../../kernel/secrets";
import { ATTEMPTS } from "../attempts";
import type { VisitorCtx } from "../identity-ctx";
import { sweepExpired } from "../sweep-expired";
import { removeMember } from "../tenants/remove-member";
import { createSessionToken } from "./create-session-token";
import { endSessionToken } from "./end-session-token";
import { refreshSessionToken } from "./refresh-session-token";

const DAY_MS = 86_400_000;

let t: IdentityTest;
beforeAll(async () => {
  t = await identityTest({ publicUrl: "https://svc.example" });
});
afterAll(() => t.close());

/** A browser that sends a `Set-Cookie` value back. */
const browser = (cookie = "", origin?: string): VisitorCtx => {
  const visitor = t.visitor();
  return { ...visitor, request: { ...visitor.request, browser: { cookies: cookie.split(";")[0] ?? "", origin } } };
};
const logIn = (email: string, tenant_id?: string) =>
  createSessionToken(browser(), { email, password: PASSWORD, tenant_id });
const refresh = (cookie: string) => refreshSessionToken(browser(cookie), {});
const tokenIn = (cookie: string) => /=([a-z2-7]{52});/.exec(cookie)?.[1] ?? "";
const familiesOf = (email: string) => t.db.refreshFamily.findMany({ where: { user: { email } } });
const actionsOf = async (tenantId: string) =>
  (await t.db.auditEntry.findMany({ where: { tenantId }, orderBy: { sequence: "asc" } })).map(({ action }) => action);
const failureOf = (attempt: Promise<unknown>) => attempt.then(() => undefined).catch((cause: unknown) => cause);

/** Keeps others from a log-in until it is released. */
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

/** Somebody who has just logged in through the API. */
async function loggedIn(email: string) {
  const person = await t.person(email);
  return { person, session: await logIn(email) };
}

const LOGGED_OUT = { code: "unauthorized", cookie: expect.stringMatching(/^__Secure-svc_refresh=; .*Max-Age=0/) };

describe("log-in", () => {
  it("answers an access token of an hour and, in a cookie for /v1/auth alone, a refresh token", async () => {
    const { person, session } = await loggedIn("ada@example.com");
    const { cookie, access_token, ...rest } = session;
    expect(rest).toEqual({ token_type: "Bearer", expires_in: 3600, tenant_id: person.actor.tenantId });
    expect(access_token.split(".")).toHaveLength(3);
    expect(cookie).toMatch(
      /^__Secure-svc_refresh=[a-z2-7]{52}; Path=\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(await actionsOf(person.actor.tenantId)).toContain("user.signed_in");
  });

  it("keeps the refresh token and the address as hashes alone", async () => {
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

  it("compares one hash for an unknown account, a wrong password and the right one, and tells the first two alike", async () => {
    await t.person("bob@example.com");
    const attempt = async (email: string, password: string) => {
      const { comparisons, hashes } = t.hasher;
      const error = await failureOf(createSessionToken(browser(), { email, password }));
      return { error, compared: t.hasher.comparisons - comparisons, hashed: t.hasher.hashes - hashes };
    };
    const unknown = await attempt("nobody@example.com", "wrong password");
    const wrong = await attempt("bob@example.com", "wrong password");
    expect(unknown).toMatchObject({ error: { code: "unauthorized" }, compared: 1, hashed: 0 });
    expect(wrong).toEqual(unknown);
    expect(await attempt("bob@example.com", PASSWORD)).toEqual({ error: undefined, compared: 1, hashed: 0 });
  });

  it("shares the limit of attempts on an account with the dashboard's log-in", async () => {
    const attempt = () => createSessionToken(browser(), { email: "guessed@example.com", password: "wrong password" });
    for (let i = 0; i < ATTEMPTS.password.burst; i++) {
      await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 30 });
  });

  it("limits attempts from one address, whatever the accounts", async () => {
    const visitor = t.visitor("2001:db8:9:9::1");
    const attempt = (i: number) =>
      createSessionToken(visitor, { email: `many-${i}@example.com`, password: "wrong password" });
    for (let i = 0; i < ATTEMPTS.passwordAddress.burst; i++) {
      await expect(attempt(i)).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(attempt(999)).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("opens the tenant that is asked for, when the person belongs to it", async () => {
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
  it("exchanges the token for the next one and keeps the log-in for thirty days more", async () => {
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

  it("is won by exactly one of two at the same instant; the other is refused softly and nothing is lost", async () => {
    const { session } = await loggedIn("tabs@example.com");
    const release = await holdFamilyOf("tabs@example.com");
    const under = [refresh(session.cookie), refresh(session.cookie)];
    await vi.waitFor(async () => expect(await waitingForLocks()).toBe(2), 10_000);
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

  it("with a used token mints nothing within ten seconds, and ends the log-in of thief and owner after that", async () => {
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

  it("ends only the log-in whose token was reused", async () => {
    const { session } = await loggedIn("phone@example.com");
    const laptop = await logIn("phone@example.com");
    await refresh(session.cookie);
    t.clock.advance(10_000);
    await expect(refresh(session.cookie)).rejects.toMatchObject(LOGGED_OUT);
    await expect(refresh(laptop.cookie)).resolves.toMatchObject({ expires_in: 3600 });
  });

  it("takes the token from no other cookie, and unknown or malformed ones are nobody's", async () => {
    const { session } = await loggedIn("jar@example.com");
    const own = session.cookie.split(";")[0] ?? "";
    const forged = ["", own.replace("__Secure-", ""), `x${own}`, `${own}a`, own.slice(0, -1)];
    const unknown = `__Secure-svc_refresh=${"a".repeat(52)}`;
    for (const cookie of [...forged, unknown]) await expect(refresh(cookie)).rejects.toMatchObject(LOGGED_OUT);
    const among = browser();
    among.request.browser = { cookies: `theme=dark; ${own}; other=1`, origin: undefined };
    await expect(refreshSessionToken(among, {})).resolves.toMatchObject({ token_type: "Bearer" });
  });

  it("is refused to the pages of other origins, as are log-in and log-out; our own pages may", async () => {
    const { session } = await loggedIn("csrf@example.com");
    for (const origin of ["https://evil.example", "null", "http://svc.example", "https://a.svc.example"]) {
      const foreign = browser(session.cookie, origin);
      const refused = { code: "forbidden", details: { reason: "foreign_origin" } };
      await expect(refreshSessionToken(foreign, {})).rejects.toMatchObject(refused);
      await expect(endSessionToken(foreign, {})).rejects.toMatchObject(refused);
      const again = createSessionToken(foreign, { email: "csrf@example.com", password: PASSWORD });
      await expect(again).rejects.toMatchObject(refused);
    }
    await refreshSessionToken(browser(session.cookie, "https://svc.example"), {});
  });
});

describe("log-out", () => {
  it("ends the log-in, also by a token that was used before, and again changes nothing", async () => {
    const { person, session } = await loggedIn("out@example.com");
    const next = await refresh(session.cookie);
    for (let i = 0; i < 2; i++) {
      expect((await endSessionToken(browser(session.cookie), {})).cookie).toMatch(/=; .*Max-Age=0/);
    }
    await expect(refresh(next.cookie)).rejects.toMatchObject(LOGGED_OUT);
    const actions = await actionsOf(person.actor.tenantId);
    expect(actions.filter((action) => action === "session.ended")).toHaveLength(1);
    await expect(endSessionToken(browser(), {})).resolves.toHaveProperty("cookie");
  });
});

describe("the end of what a log-in stands on", () => {
  it("leaves no refresh token to a member who was removed, and their other tenants alone", async () => {
    const owner = await t.person("team@example.com");
    const guest = await t.person("guest@example.com");
    await t.db.membership.create({
      data: { userId: guest.actor.userId, tenantId: owner.actor.tenantId, role: "member", createdAt: t.clock.now() },
    });
    const [here, there] = [await logIn("guest@example.com", owner.actor.tenantId), await logIn("guest@example.com")];
    await removeMember(owner, { user_id: guest.actor.userId });
    await expect(refresh(here.cookie)).rejects.toMatchObject(LOGGED_OUT);
    await expect(refresh(there.cookie)).resolves.toMatchObject({ tenant_id: guest.actor.tenantId });
  });

  it("is swept with its tokens once it has expired", async () => {
    const { session } = await loggedIn("swept@example.com");
    await sweepExpired(t.ctx);
    expect(await familiesOf("swept@example.com")).toHaveLength(1);
    t.clock.advance(30 * DAY_MS);
    await sweepExpired(t.ctx);
    expect(await familiesOf("swept@example.com")).toEqual([]);
    expect(await t.db.refreshToken.count({ where: { hash: sha256(tokenIn(session.cookie)) } })).toBe(0);
  });
});
