import { afterAll, describe, expect, it } from "vitest";
import { identityTest, PASSWORD } from "../../../test/factories/identity";
import { ATTEMPTS } from "../attempts";
import { sweepExpired } from "../expired/sweep-expired";
import type { VisitorCtx } from "../identity-ctx";
import { acceptInvitation } from "../invitations/accept-invitation";
import { getInvitation } from "../invitations/get-invitation";
import { inviteMember } from "../invitations/invite-member";
import { changePassword } from "../passwords/change-password";
import { createSessionToken } from "../session-tokens/create-session-token";
import { logIn } from "../sessions/log-in";
import { signUp } from "../sign-up/sign-up";
import { issueLogInCodeByOperator } from "./issue-log-in-code-by-operator";
import { SendLogInCode, sendLogInCode } from "./send-log-in-code";

const WRONG = "wrong password";
const MINUTE_MS = 60_000;
/** At most the number of connections of the pool. */
const AT_ONCE = 8;
const HERE = "127.0.0.1";
const THERE = "203.0.113.7";

const smtpUrl = "smtp://127.0.0.1:9";
const [t, local] = await Promise.all([identityTest({ publicUrl: "https://svc.example", smtpUrl }), identityTest()]);
afterAll(() => Promise.all([t.close(), local.close()]));

/** A browser at an address that sends the cookies of earlier `Set-Cookie` values. */
function browserAt(address: string, cookies: string[] = [], of = t): VisitorCtx {
  const visitor = of.visitor(address);
  const sent = cookies.map((cookie) => cookie.split(";")[0]).join("; ");
  return { ...visitor, request: { ...visitor.request, browser: { cookies: sent, origin: undefined } } };
}

const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => undefined,
    (cause: unknown) => cause,
  );

/** Fails to log in `times` times; returns each error's code and reason once. */
async function guess(email: string, times: number, at: (i: number) => VisitorCtx): Promise<string[]> {
  const seen = new Set<string>();
  for (let first = 0; first < times; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, times - first) }, (_, i) => first + i);
    const refusals = await Promise.all(batch.map((i) => refusalOf(logIn.run(at(i), { email, password: WRONG }))));
    for (const { code, details } of refusals as { code: string; details?: { reason: string } }[]) {
      seen.add([code, details?.reason].filter(Boolean).join(" "));
    }
  }
  return [...seen].sort();
}

/** Runs the queued jobs of logins, as a worker would, and drops all other jobs. */
async function runCodeJobs(of = t): Promise<void> {
  const { rows } = await of.sql.query<{ payload: never; id: string }>(
    `select j.id::text, p.payload from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = 'send_log_in_code' order by j.id`,
  );
  for (const { payload } of rows) await sendLogInCode(of.ctx, SendLogInCode.parse(payload));
  await of.sql.query("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs");
}

const codesTo = async (email: string): Promise<string[]> =>
  (await t.lettersTo(email)).flatMap(({ text }) => /Your code is (\d{8})\./.exec(text)?.[1] ?? []);

/** Guesses from a new network each time, until logins require a code. */
const guessFromEverywhere = (email: string): Promise<string[]> =>
  guess(email, ATTEMPTS.passwordAccount.burst + 1, (i) => browserAt(`100.64.${i}.1`));

describe("wrong passwords from one network", () => {
  it("block that network and no other, and offer a code", async () => {
    await t.person("network@example.com");
    const input = { email: "network@example.com", password: WRONG };
    const from = (i: number) => browserAt(`203.0.113.${i}`);
    expect(await guess(input.email, ATTEMPTS.password.burst, from)).toEqual(["unauthorized"]);
    const refusal = await refusalOf(logIn.run(from(99), input));
    expect(refusal).toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 30,
      details: { reason: "code_accepted" },
    });
    // The right password fails with the same error, which reveals nothing.
    expect(await refusalOf(logIn.run(from(99), { ...input, password: PASSWORD }))).toMatchObject({
      code: "rate_limited",
    });
    await logIn.run(browserAt("198.51.100.9"), { ...input, password: PASSWORD });
  });

  it("are counted together for an IPv6 /48", async () => {
    const from = (i: number) => browserAt(`2001:db8:7:${i.toString(16)}::1`);
    await guess("v6@example.com", ATTEMPTS.password.burst, from);
    expect(await guess("v6@example.com", 1, () => from(99))).toEqual(["rate_limited code_accepted"]);
    expect(await guess("v6@example.com", 1, () => browserAt("2001:db8:8::1"))).toEqual(["unauthorized"]);
  });
});

describe("a browser that the account has logged in from", () => {
  it.each([20, 200])("can log in from the attacker's own address after %i wrong passwords", async (times) => {
    const email = `device-${times}@example.com`;
    await local.person(email);
    const { deviceCookie } = await logIn.run(browserAt(HERE, [], local), { email, password: PASSWORD });
    await guess(email, times, () => browserAt(HERE, [], local));
    const known = browserAt(HERE, [deviceCookie], local);
    expect(await refusalOf(logIn.run(known, { email, password: WRONG }))).toMatchObject({ code: expect.any(String) });
    expect((await logIn.run(known, { email, password: PASSWORD })).user.email).toBe(email);
  });

  it("can log in when all networks are limited, through the API too, and with its refresh cookie", async () => {
    const email = "everywhere@example.com";
    await t.person(email);
    const { deviceCookie } = await logIn.run(browserAt("198.51.100.20"), { email, password: PASSWORD });
    const { cookie } = await createSessionToken.run(browserAt("198.51.100.21"), { email, password: PASSWORD });
    await guessFromEverywhere(email);
    for (const sent of [deviceCookie, cookie]) {
      const ctx = browserAt(THERE, [sent]);
      await createSessionToken.run(ctx, { email, password: PASSWORD });
    }
    expect(await guess(email, 1, () => browserAt(THERE))).toEqual(["unauthorized code_required"]);
  });

  it("keeps its id across logins, with one cookie per account", async () => {
    const ids: string[] = [];
    let cookies: string[] = [];
    for (const email of ["one@example.com", "two@example.com", "one@example.com"]) {
      if (!ids.length || email !== "one@example.com") await t.person(email);
      const { deviceCookie } = await logIn.run(browserAt(THERE, cookies), { email, password: PASSWORD });
      cookies = [...cookies.filter((each) => each.split("=")[0] !== deviceCookie.split("=")[0]), deviceCookie];
      ids.push(/\.([a-z2-7]{26})\./.exec(deviceCookie)?.[1] ?? "");
    }
    expect(ids[2]).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
    expect(cookies).toHaveLength(2);
    expect(cookies[0]).toMatch(
      /^__Secure-svc_device_[0-9a-f]{8}=.*; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it("is not recognized by a forged cookie, another account's cookie or a used refresh token", async () => {
    const email = "forged@example.com";
    const mine = await t.person(email);
    await t.person("attacker@example.com");
    const own = await logIn.run(browserAt(THERE), { email: "attacker@example.com", password: PASSWORD });
    const swapped = own.deviceCookie.replace(own.user.id, mine.actor.userId);
    const unsigned = own.deviceCookie.replace(/[0-9a-f]{32};/, `${"0".repeat(32)};`);
    await guessFromEverywhere(email);
    for (const cookie of [own.deviceCookie, swapped, unsigned, own.cookie]) {
      expect(await guess(email, 1, () => browserAt("192.0.2.1", [cookie]))).toEqual(["unauthorized code_required"]);
    }
  });

  it("has its own bucket that only it can use up, and is treated as unknown after that", async () => {
    const email = "own-bucket@example.com";
    await t.person(email);
    const { deviceCookie } = await logIn.run(browserAt(THERE), { email, password: PASSWORD });
    await guessFromEverywhere(email);
    const known = () => browserAt("192.0.2.2", [deviceCookie]);
    await guess(email, ATTEMPTS.passwordDevice.burst, known);
    expect(await refusalOf(logIn.run(known(), { email, password: PASSWORD }))).toMatchObject({ code: "rate_limited" });
    t.clock.advance(MINUTE_MS / 2);
    await logIn.run(known(), { email, password: PASSWORD });
  });

  it("does not let another account of the same address guess the owner's password", async () => {
    const email = "shared@example.com";
    const owner = await t.person(email);
    await t.db.user.update({ where: { id: owner.actor.userId }, data: { emailVerifiedAt: t.clock.now() } });
    const { deviceCookie } = await signUp.run(browserAt(THERE), { email, password: "the stranger's own" });
    await guessFromEverywhere(email);
    const refusal = await refusalOf(logIn.run(browserAt("192.0.2.3", [deviceCookie]), { email, password: PASSWORD }));
    expect(refusal).toMatchObject({ details: { reason: "code_required" } });
  });
});

describe("an account that is guessed from many networks", () => {
  it("requires an emailed code in addition to the password from unknown browsers", async () => {
    const email = "coded@example.com";
    await t.person(email);
    expect(await guessFromEverywhere(email)).toEqual(["unauthorized", "unauthorized code_required"]);
    const input = { email, password: PASSWORD };
    expect(await refusalOf(logIn.run(browserAt(THERE), input))).toMatchObject({
      code: "unauthorized",
      param: "code",
      details: { reason: "code_required" },
    });
    await runCodeJobs();
    const [code = ""] = await codesTo(email);
    expect(JSON.stringify(await t.db.logInCode.findMany())).not.toContain(code);
    await logIn.run(browserAt(THERE), { ...input, code });
    const again = await refusalOf(logIn.run(browserAt(THERE), { ...input, code }));
    expect(again).toMatchObject({ code: "unauthorized", details: { reason: "code_invalid" } });
  });

  it("requires no code from an address with an active session, and still limits that network", async () => {
    const email = "office@example.com";
    await t.person(email);
    await logIn.run(browserAt("192.0.2.70"), { email, password: PASSWORD });
    await guessFromEverywhere(email);
    await logIn.run(browserAt("192.0.2.70"), { email, password: PASSWORD });
    expect(await guess(email, 1, () => browserAt("192.0.2.70"))).toEqual(["unauthorized code_required"]);
    await guess(email, ATTEMPTS.password.burst, () => browserAt("192.0.2.70"));
    for (const code of [undefined, ""]) {
      const refused = await refusalOf(logIn.run(browserAt("192.0.2.70"), { email, password: PASSWORD, code }));
      expect(refused).toMatchObject({ code: code === undefined ? "rate_limited" : "unauthorized" });
    }
  });

  it("emails nothing for wrong passwords, and responds the same to them, to unknown accounts and to the right one", async () => {
    const email = "quiet@example.com";
    await t.person(email);
    const outcomeOf = async (of: string, password: string, code?: string) => {
      const before = t.hasher.comparisons;
      const error = (await refusalOf(logIn.run(browserAt(THERE), { email: of, password, code }))) as Error & object;
      const jobs = await t.sql.query("select count(*)::int from graphile_worker.jobs");
      await runCodeJobs();
      return { said: error.message, ...error, work: t.hasher.comparisons - before, jobs: jobs.rows };
    };
    await runCodeJobs();
    for (const each of [email, "nobody@example.com"]) await guessFromEverywhere(each);
    await runCodeJobs();
    const wrong = await outcomeOf(email, WRONG);
    expect(await codesTo(email)).toEqual([]);
    expect(await outcomeOf("nobody@example.com", PASSWORD)).toEqual(wrong);
    expect(await outcomeOf(email, PASSWORD)).toEqual(wrong);
    expect(await codesTo(email)).toHaveLength(1);
    const wrongCode = await outcomeOf(email, PASSWORD, "00000000");
    expect(await outcomeOf(email, WRONG, "00000000")).toEqual(wrongCode);
    expect(await outcomeOf("nobody@example.com", PASSWORD, "00000000")).toEqual(wrongCode);
  });

  it("ends a code after ten minutes, after five attempts, and when there is a newer one", async () => {
    const email = "ends@example.com";
    await t.person(email);
    await guessFromEverywhere(email);
    const input = { email, password: PASSWORD };
    const newCode = async (): Promise<string> => {
      await refusalOf(logIn.run(browserAt(THERE), { ...input, code: "" }));
      await runCodeJobs();
      t.clock.advance(1);
      return (await codesTo(email)).at(-1) ?? "";
    };
    const works = (code: string) =>
      logIn.run(browserAt(THERE), { ...input, code }).then(
        () => true,
        () => false,
      );
    const first = await newCode();
    const second = await newCode();
    expect(second).not.toBe(first);
    expect(await works(first)).toBe(false);
    for (let i = 0; i < 4; i++) expect(await works("00000000")).toBe(false);
    expect(await works(second)).toBe(false);
    const third = await newCode();
    t.clock.advance(10 * MINUTE_MS);
    expect(await works(third)).toBe(false);
    await sweepExpired(t.ctx);
    expect(await t.db.logInCode.count({ where: { user: { email } } })).toBe(0);
    expect(await works(await newCode())).toBe(true);
  });

  it("lets no one without the password use up the attempts of a code", async () => {
    const email = "tries@example.com";
    await t.person(email);
    await guessFromEverywhere(email);
    await refusalOf(logIn.run(browserAt(THERE), { email, password: PASSWORD, code: "" }));
    await runCodeJobs();
    for (let i = 0; i < 20; i++) {
      await refusalOf(logIn.run(browserAt(`100.65.${i}.1`), { email, password: WRONG, code: "00000000" }));
    }
    const [code = ""] = await codesTo(email);
    await logIn.run(browserAt(THERE), { email, password: PASSWORD, code });
  });

  it("is emailed a few codes per hour, however many a person with the password requests", async () => {
    const email = "flooded@example.com";
    await t.person(email);
    for (let i = 0; i < 10; i++) {
      await refusalOf(logIn.run(browserAt(`100.66.${i}.1`), { email, password: PASSWORD, code: "" }));
    }
    await runCodeJobs();
    expect(await codesTo(email)).toHaveLength(ATTEMPTS.logInCode.burst);
  });

  it("lets exactly one of many use a code at once", async () => {
    const email = "race@example.com";
    await t.person(email);
    const { code } = await issueLogInCodeByOperator(t.ctx, { email });
    const uses = await Promise.allSettled(
      Array.from({ length: 4 }, () => logIn.run(browserAt(THERE), { email, password: PASSWORD, code })),
    );
    expect(uses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("the owner in a new browser on the attacker's own loopback address", () => {
  it.each([20, 200])("can log in with the operator's code after %i wrong passwords", async (times) => {
    const email = `fresh-${times}@example.com`;
    await local.person(email);
    await guess(email, times, () => browserAt(HERE, [], local));
    const input = { email, password: PASSWORD };
    expect(await refusalOf(logIn.run(browserAt(HERE, [], local), input))).toMatchObject({
      details: { reason: "code_accepted" },
    });
    const asked = await refusalOf(logIn.run(browserAt(HERE, [], local), { ...input, code: "" }));
    expect(asked).toMatchObject({ code: "unauthorized", message: expect.stringContaining("admin log-in-code") });
    await runCodeJobs(local);
    expect((await local.lettersTo(email)).filter(({ text }) => /code/.test(text))).toEqual([]);
    const { code } = await issueLogInCodeByOperator(local.ctx, { email });
    expect((await logIn.run(browserAt(HERE, [], local), { ...input, code })).user.email).toBe(email);
  });
});

describe("an active session", () => {
  it("can change its password and accept an invitation, whatever others tried", async () => {
    const email = "live@example.com";
    const person = await local.person(email);
    const host = await local.person("host@example.com");
    await inviteMember.run(host, { email, role: "member" });
    const token = await local.tokenFor(email);
    await guess(email, 200, () => browserAt(HERE, [], local));
    for (let i = 0; i < ATTEMPTS.tokenAddress.burst + 5; i++) {
      await refusalOf(getInvitation.run(local.visitor(person.request.address), { token: "x" }));
    }
    expect((await acceptInvitation.run(person, { token })).name).toBe("host");
    await changePassword.run(person, { current_password: PASSWORD, new_password: "another long password" });
  });

  it("has its own limit of attempts at the current password", async () => {
    const person = await local.person("session@example.com");
    const { cookie } = await logIn.run(local.visitor(), { email: person.email, password: PASSWORD });
    const wrong = { current_password: WRONG, new_password: "another long password" };
    for (let i = 0; i < ATTEMPTS.passwordSession.burst; i++) {
      expect(await refusalOf(changePassword.run(person, wrong))).toMatchObject({ param: "current_password" });
    }
    expect(await refusalOf(changePassword.run(person, wrong))).toMatchObject({ code: "rate_limited" });
    const other = await local.personOf(cookie);
    await changePassword.run(other, { ...wrong, current_password: PASSWORD });
  });
});
