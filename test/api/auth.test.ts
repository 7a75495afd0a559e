import { describe, expect, it } from "vitest";
import { issueLogInCodeByOperator } from "../../server/identity/log-ins/issue-log-in-code-by-operator";
import { changePassword } from "../../server/identity/passwords/change-password";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { scopesOfRole } from "../../server/operation/actor";
import { eventually, TEST_REQUEST, testApp } from "../factories/app";
import { manage, type Refusal, refusalOf, type Sent } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const PASSWORD = "correct horse battery";
const ORIGIN = "http://localhost:3000";

const test = await openForFile(testApp());

interface Session {
  access_token: string;
  token_type: string;
  expires_in: number;
  tenant_id: string;
}

/** An account of its own; answers its address. */
async function newPerson(name: string): Promise<string> {
  const email = `${name}@example.com`;
  await signUp.run({ ...test.app.account, request: TEST_REQUEST }, { email, password: PASSWORD });
  return email;
}

const cookieOf = (response: Response): string => response.headers.getSetCookie()[0] ?? "";
const auth = (action: "login" | "refresh" | "logout", sent: Sent): Promise<Response> =>
  manage(test, `/v1/auth/${action}`, { method: "POST", ...sent });
const logIn = (email: string, password = PASSWORD) => auth("login", { body: { email, password } });
/** As a browser sends it: without a body, with the cookie that it was given. */
const withCookie = (action: "refresh" | "logout", cookie: string, headers: Record<string, string> = {}) =>
  auth(action, { headers: { cookie: cookie.split(";")[0] ?? "", ...headers } });
const channels = (key: string) => manage(test, "/v1/ads/channels", { key });

/** Somebody new who has logged in. */
async function loggedIn(name: string): Promise<{ email: string; session: Session; cookie: string }> {
  const email = await newPerson(name);
  const response = await logIn(email);
  expect(response.status).toBe(200);
  return { email, session: (await response.json()) as Session, cookie: cookieOf(response) };
}

/** The refusal after wrong passwords; while they are sent, the limit gives some back. */
async function guessUntilLimited(email: string): Promise<Refusal> {
  for (let i = 0; i < 100; i++) {
    const refusal = await refusalOf(await logIn(email, "wrong password"));
    if (refusal.status !== 401) return refusal;
  }
  throw new Error("a hundred wrong passwords were not limited");
}

describe("POST /v1/auth/login", () => {
  it("answers a bearer token that works where a platform key does, and makes the first key", async () => {
    const { session, cookie } = await loggedIn("first");
    expect(session).toEqual({
      access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      tenant_id: expect.stringMatching(/^ten_/),
    });
    expect(cookie).toMatch(/^svc_refresh=[a-z2-7]{52}; Path=\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect((await channels(session.access_token)).status).toBe(200);
    const [project] = await test.app.ads.db.project.findMany({ where: { tenantId: session.tenant_id } });
    const made = await manage(test, "/v1/keys", {
      key: session.access_token,
      body: { name: "first", project: project?.id, scopes: ["ads:read"] },
    });
    expect(made.status).toBe(201);
    const { key } = (await made.json()) as { key: string };
    expect((await channels(key)).status).toBe(200);
  });

  it("refuses an unknown account and a wrong password alike, with a request id and no cookie", async () => {
    const email = await newPerson("wrong");
    const refusals = await Promise.all(
      [email, "nobody@example.com"].map(async (each) => refusalOf(await logIn(each, "wrong password"))),
    );
    for (const { status, headers, error } of refusals) {
      expect(status).toBe(401);
      expect(error).toMatchObject({ code: "unauthorized", message: "The email or the password is wrong." });
      expect(headers.get("x-request-id")).toBe(error.request_id);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it("names the field that it does not take", async () => {
    for (const [body, param] of [
      [{ email: "a@example.com" }, "password"],
      [{ email: "nonsense", password: PASSWORD }, "email"],
      [{ email: "a@example.com", password: PASSWORD, remember: true }, "remember"],
    ] as const) {
      const { status, error } = await refusalOf(await auth("login", { body }));
      expect([status, error.param]).toEqual([400, param]);
    }
  });

  it("takes a code where the account's network guessed too often, and the operator hands it out", async () => {
    const email = await newPerson("guessed");
    const limited = await guessUntilLimited(email);
    expect([limited.status, limited.error.details]).toEqual([429, { reason: "code_accepted" }]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    const withCode = (code: string) => auth("login", { body: { email, password: PASSWORD, code } });
    const asked = await refusalOf(await withCode(""));
    expect([asked.status, asked.error.param, asked.error.details]).toEqual([401, "code", { reason: "code_required" }]);
    const wrong = await refusalOf(await withCode("00000000"));
    expect([wrong.status, wrong.error.details]).toEqual([401, { reason: "code_invalid" }]);
    const { code } = await issueLogInCodeByOperator(test.app.account, { email });
    expect((await withCode(code)).status).toBe(200);
    expect((await withCode(code)).status).toBe(401);
  });

  it("knows a browser by its refresh cookie, which others' attempts do not limit", async () => {
    const { email, cookie } = await loggedIn("known");
    await guessUntilLimited(email);
    const known = { headers: { cookie: cookie.split(";")[0] ?? "" }, body: { email, password: PASSWORD } };
    expect((await auth("login", known)).status).toBe(200);
  });

  it("keeps every answer out of caches", async () => {
    const email = await newPerson("cache");
    expect((await logIn(email)).headers.get("cache-control")).toBe("no-store");
  });
});

describe("POST /v1/auth/refresh", () => {
  it("takes the cookie and no body, and hands out the next cookie", async () => {
    const { session, cookie } = await loggedIn("next");
    const response = await withCookie("refresh", cookie, { origin: ORIGIN });
    expect(response.status).toBe(200);
    const next = (await response.json()) as Session;
    expect(next).toMatchObject({ token_type: "Bearer", tenant_id: session.tenant_id });
    expect(cookieOf(response)).toMatch(/^svc_refresh=[a-z2-7]{52}; /);
    expect(cookieOf(response)).not.toBe(cookie);
    for (const { access_token } of [session, next]) expect((await channels(access_token)).status).toBe(200);
  });

  it("lets one of two tabs win, and leaves the other's cookie as it is", async () => {
    const { cookie } = await loggedIn("tabs");
    const both = await Promise.all([withCookie("refresh", cookie), withCookie("refresh", cookie)]);
    const [won, lost] = both.sort((a, b) => a.status - b.status);
    expect([won?.status, lost?.status]).toEqual([200, 409]);
    expect(lost?.headers.getSetCookie()).toEqual([]);
    expect((await refusalOf(lost as Response)).error.details).toEqual({ reason: "refresh_raced" });
    expect((await withCookie("refresh", cookieOf(won as Response))).status).toBe(200);
  });

  it("ends the log-in, its access tokens included, when a used cookie comes back later", async () => {
    const { session, cookie } = await loggedIn("thief");
    const next = cookieOf(await withCookie("refresh", cookie));
    test.clock.advance(10_000);
    const stolen = await withCookie("refresh", cookie);
    expect(stolen.status).toBe(401);
    expect(cookieOf(stolen)).toMatch(/^svc_refresh=; Path=\/v1\/auth; Max-Age=0; HttpOnly; SameSite=Strict$/);
    expect((await withCookie("refresh", next)).status).toBe(401);
    await eventually(async () => (await channels(session.access_token)).status === 401);
  });

  it("is refused to another origin and without a cookie", async () => {
    const { cookie } = await loggedIn("foreign");
    const foreign = await refusalOf(await withCookie("refresh", cookie, { origin: "https://evil.example" }));
    expect([foreign.status, foreign.error.details]).toEqual([403, { reason: "foreign_origin" }]);
    expect((await auth("refresh", {})).status).toBe(401);
    expect((await withCookie("refresh", cookie)).status).toBe(200);
  });
});

describe("POST /v1/auth/logout", () => {
  it("ends the access token at once, and may be repeated", async () => {
    const { session, cookie } = await loggedIn("out");
    expect((await channels(session.access_token)).status).toBe(200);
    for (let i = 0; i < 2; i++) {
      const response = await withCookie("logout", cookie);
      expect(response.status).toBe(204);
      expect(cookieOf(response)).toMatch(/^svc_refresh=; .*Max-Age=0/);
    }
    await eventually(async () => (await channels(session.access_token)).status === 401);
    expect((await withCookie("refresh", cookie)).status).toBe(401);
  });
});

describe("a session token", () => {
  it("ends within ten seconds of a logout that this process was not notified of", async () => {
    const { session } = await loggedIn("unheard");
    expect((await channels(session.access_token)).status).toBe(200);
    await test.app.ads.db.refreshFamily.deleteMany({ where: { tenantId: session.tenant_id } });
    test.clock.advance(10_000);
    expect((await channels(session.access_token)).status).toBe(401);
  });

  it("ends when its person changes the password elsewhere", async () => {
    const { email, session } = await loggedIn("changed");
    const user = await test.app.ads.db.user.findFirstOrThrow({ where: { email } });
    const actor = {
      kind: "person",
      tenantId: session.tenant_id,
      userId: user.id,
      role: "owner",
      sessionId: "of a browser",
      scopes: scopesOfRole("owner"),
    } as const;
    const person = { ...test.app.account, request: TEST_REQUEST, actor };
    await changePassword.run(person, { current_password: PASSWORD, new_password: "another password" });
    await eventually(async () => (await channels(session.access_token)).status === 401);
  });

  it("ends after its hour", async () => {
    const { session } = await loggedIn("hour");
    test.clock.advance(3_600_000);
    expect((await channels(session.access_token)).status).toBe(401);
  });

  it("sees nothing of another tenant", async () => {
    const [mine, theirs] = [await loggedIn("mine"), await loggedIn("theirs")];
    const made = await manage(test, "/v1/ads/channels", {
      key: theirs.session.access_token,
      body: { name: "Theirs", origins: [] },
    });
    const { id } = (await made.json()) as { id: string };
    expect(made.status).toBe(201);
    expect((await manage(test, `/v1/ads/channels/${id}`, { key: mine.session.access_token })).status).toBe(404);
  });

  it("that is forged or malformed is the 401 of any wrong key", async () => {
    const { session } = await loggedIn("forged");
    const [header, claims, signature] = session.access_token.split(".");
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    const wrong = [`${header}.${claims}.`, `${none}.${claims}.`, `${session.access_token}=`, `${claims}.${signature}`];
    for (const token of [...wrong, "a.b.c", ".", "x".repeat(5000)]) {
      const { status, error } = await refusalOf(await channels(token));
      expect([status, error.code]).toEqual([401, "unauthorized"]);
    }
  });
});
