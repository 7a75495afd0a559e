import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { identityTest, PASSWORD, type Person } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { scopesOfRole } from "../../operation/actor";
import { changePassword } from "../passwords/change-password";
import { resetPassword } from "../passwords/reset-password";
import { resetPasswordByOperator } from "../passwords/reset-password-by-operator";
import { listSessions } from "../sessions/list-sessions";
import { revokeOtherSessions } from "../sessions/revoke-other-sessions";
import { revokeSession } from "../sessions/revoke-session";
import { changeRole } from "../tenants/change-role";
import { removeMember } from "../tenants/remove-member";
import { issueToken } from "../users/auth-token";
import { createTokenAuthentication, type TokenAuthentication } from "./authenticate-session-token";
import { createSessionToken } from "./create-session-token";
import { endSessionToken } from "./end-session-token";

let auth: TokenAuthentication;
let elsewhere: TokenAuthentication;
const t = await openForFile(identityTest());
beforeEach(async () => {
  [auth, elsewhere] = [await createTokenAuthentication(t.ctx), await createTokenAuthentication(t.ctx)];
});
afterEach(async () => {
  await Promise.all([auth.close(), elsewhere.close()]);
});

/** Waits until published messages have arrived. */
const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

let people = 0;
/** A new person, logged in through the API, whose token both processes have cached. */
async function loggedIn(): Promise<{ person: Person; token: string; cookie: string; logOut: () => Promise<unknown> }> {
  const person = await t.person(`person-${++people}@example.com`);
  const session = await createSessionToken.run(t.visitor(), { email: person.email, password: PASSWORD });
  const { access_token: token, cookie } = session;
  for (const each of [auth, elsewhere]) expect(await each.authenticate(token)).toBeDefined();
  const logOut = () => {
    const visitor = t.visitor();
    const browser = { cookies: cookie.split(";")[0] ?? "", origin: undefined };
    return endSessionToken.run({ ...visitor, request: { ...visitor.request, browser } }, {});
  };
  return { person, token, cookie, logOut };
}

/** A member of another person's tenant, logged in to that tenant. */
async function member() {
  const [owner, { person }] = [await t.person(`owner-${++people}@example.com`), await loggedIn()];
  const { tenantId } = owner.actor;
  const { userId } = person.actor;
  await t.db.membership.create({ data: { userId, tenantId, role: "member", createdAt: t.clock.now() } });
  const input = { email: person.email, password: PASSWORD, tenant_id: tenantId };
  const token = (await createSessionToken.run(t.visitor(), input)).access_token;
  for (const each of [auth, elsewhere]) expect(await each.authenticate(token)).toMatchObject({ tenantId });
  return { owner, userId, token };
}

/** A database read whose result is delayed. */
function holdNextRead() {
  let [wasRead, mayArrive] = [() => {}, () => {}];
  const read = new Promise<void>((resolve) => {
    wasRead = resolve;
  });
  const arrival = new Promise<void>((resolve) => {
    mayArrive = resolve;
  });
  const query = t.db.$queryRaw.bind(t.db);
  const held = (async (...args: Parameters<typeof query>) => {
    const rows = await query(...args);
    wasRead();
    await arrival;
    return rows;
  }) as unknown as typeof query;
  const spy = vi.spyOn(t.db, "$queryRaw").mockImplementationOnce(held);
  return { read, arrive: () => mayArrive(), restore: () => spy.mockRestore() };
}

describe("an access token", () => {
  it("acts for its person in the tenant of the session, with the scopes of their role", async () => {
    const { person, token } = await loggedIn();
    const { tenantId, userId } = person.actor;
    expect(await auth.authenticate(token)).toEqual({
      kind: "person",
      tenantId,
      userId,
      role: "owner",
      scopes: scopesOfRole("owner"),
      sessionId: expect.stringMatching(/^ses_/),
    });
  });

  it("ends after an hour", async () => {
    const { token } = await loggedIn();
    t.clock.advance(3_599_000);
    expect(await auth.authenticate(token)).toBeDefined();
    t.clock.advance(1000);
    expect(await auth.authenticate(token)).toBeUndefined();
  });

  it("costs one query in ten seconds, whatever the number of concurrent requests", async () => {
    const { token } = await loggedIn();
    t.clock.advance(10_000);
    const query = vi.spyOn(t.db, "$queryRaw");
    await Promise.all(Array.from({ length: 20 }, () => auth.authenticate(token)));
    t.clock.advance(9_999);
    await auth.authenticate(token);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });

  it("of another installation's address is rejected", async () => {
    const { token } = await loggedIn();
    const other = await createTokenAuthentication({ ...t.ctx, publicUrl: "https://other.example" });
    expect(await other.authenticate(token)).toBeUndefined();
    await other.close();
  });
});

/** Everything that ends a session, and how. */
const ENDS: [string, (ended: Awaited<ReturnType<typeof loggedIn>>) => Promise<unknown>][] = [
  ["log-out", ({ logOut }) => logOut()],
  ["logging out everywhere", ({ person }) => revokeOtherSessions.run(person, {})],
  [
    "a change of the password",
    ({ person }) => changePassword.run(person, { current_password: PASSWORD, new_password: "another password" }),
  ],
  [
    "a reset of the password",
    async ({ person }) => {
      const { token } = await issueToken(t.db, {
        userId: person.actor.userId,
        kind: "reset_password",
        now: t.clock.now(),
      });
      await resetPassword.run(t.visitor(), { token, password: "another password" });
    },
  ],
  [
    "ending it in the list of sessions",
    async ({ person }) => {
      const sessions = await listSessions.run(person, {});
      expect(sessions.map(({ kind, current }) => [kind, current])).toEqual([
        ["api", false],
        ["dashboard", true],
      ]);
      await revokeSession.run(person, { session_id: sessions[0]?.id ?? "" });
    },
  ],
];

describe("an access token is rejected immediately, in every process, after", () => {
  it.each(ENDS)("%s", async (_what, end) => {
    const ended = await loggedIn();
    await end(ended);
    await delivered();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(ended.token)).toBeUndefined();
  });

  it("the removal of the member", async () => {
    const { owner, userId, token } = await member();
    await removeMember.run(owner, { user_id: userId });
    await delivered();
    for (const each of [auth, elsewhere]) expect(await each.authenticate(token)).toBeUndefined();
  });
});

describe("the cache of sessions", () => {
  it("is at most ten seconds old if the message was lost", async () => {
    const { person, token } = await loggedIn();
    // The operator's command runs in a separate process, which cannot notify the others.
    await resetPasswordByOperator(t.ctx, { email: person.email, with: "password" });
    t.clock.advance(9_999);
    expect(await auth.authenticate(token)).toBeDefined();
    t.clock.advance(1);
    expect(await auth.authenticate(token)).toBeUndefined();
  });

  it("does not outlive a removal made directly in the database", async () => {
    const { userId, token } = await member();
    await t.db.membership.deleteMany({ where: { userId } });
    t.clock.advance(10_000);
    expect(await auth.authenticate(token)).toBeUndefined();
  });

  it("is not filled again by a lookup in progress", async () => {
    const { token, logOut } = await loggedIn();
    t.clock.advance(10_000);
    const held = holdNextRead();
    const early = auth.authenticate(token);
    await held.read;
    await logOut();
    await delivered();
    held.arrive();
    expect(await early).toBeUndefined();
    expect(await auth.authenticate(token)).toBeUndefined();
    held.restore();
  });

  it("applies a change of role immediately, and only for that person", async () => {
    const { owner, userId, token } = await member();
    const { token: other } = await loggedIn();
    await changeRole.run(owner, { user_id: userId, role: "admin" });
    await delivered();
    expect(await auth.authenticate(token)).toMatchObject({ role: "admin", scopes: scopesOfRole("admin") });
    const query = vi.spyOn(t.db, "$queryRaw");
    await auth.authenticate(other);
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });
});

describe("the session that changes the password", () => {
  it("stays, whichever kind it is", async () => {
    const { person, token } = await loggedIn();
    const actor = await auth.authenticate(token);
    if (actor?.kind !== "person") throw new Error("A token acts for a person.");
    const change = { current_password: PASSWORD, new_password: "another password" };
    expect(await changePassword.run({ ...person, actor }, change)).toEqual({ ended_sessions: 1 });
    await delivered();
    expect(await auth.authenticate(token)).toBeDefined();
  });
});
