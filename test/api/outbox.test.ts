import { describe, expect, it } from "vitest";
import { inviteMember } from "../../server/identity/invitations/invite-member";
import { sendPasswordReset } from "../../server/identity/passwords/send-password-reset";
import { isForwarded } from "../../server/surfaces/http/forwarding-headers";
import { createAppCaller } from "../../server/surfaces/trpc/router";
import { accountScene, type LoggedIn } from "../factories/account-scene";
import { TEST_REQUEST, testApp, uncountedPipeline } from "../factories/app";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const scene = await accountScene(test);

interface Visit {
  headers?: Record<string, string>;
  address?: string;
  isLoopback?: boolean;
}

/** What the outbox page gets. */
function outbox(as: LoggedIn | undefined, visit: Visit = {}) {
  const { headers = {}, address = "127.0.0.1", isLoopback = test.config.isLoopback } = visit;
  const caller = createAppCaller({
    session: as?.session,
    pipeline: uncountedPipeline(test, { isLoopback }),
    request: { ...TEST_REQUEST, address, isForwarded: isForwarded(Object.keys(headers)) },
    requestHeaders: new Headers(headers),
    responseHeaders: new Headers(),
    publicOrigin: test.config.publicUrl,
    onCounted: () => undefined,
  });
  return caller.listOutbox();
}

const subjectsOf = async (as: LoggedIn) => (await outbox(as)).map(({ to, subject }) => `${to}: ${subject}`);

describe("the outbox", () => {
  it("shows the mail of the signed-in tenant and of no other, and no password links", async () => {
    const [one, two] = [await scene.newPerson(), await scene.newPerson()];
    await inviteMember.run(one, { email: "guest@example.com", role: "member" });
    const { email } = one.session.user;
    await sendPasswordReset(test.app.account, { email, request: TEST_REQUEST });
    expect((await subjectsOf(one)).sort()).toEqual([
      `guest@example.com: You have been invited to join ${one.session.tenant.name}`,
      `${email}: Confirm your email address`,
    ]);
    expect(await subjectsOf(two)).toEqual([`${two.session.user.email}: Confirm your email address`]);
  });

  it("shows a member only what is addressed to them: an invitation could make them an owner", async () => {
    const member = await scene.member();
    await inviteMember.run(scene.owner, { email: "boss@example.com", role: "owner" });
    const { email } = member.session.user;
    const seen = await outbox(member);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.map(({ to }) => to).filter((to) => to !== email)).toEqual([]);
  });

  it("is closed to who is not signed in", async () => {
    await expect(outbox(undefined)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("is closed to other machines", async () => {
    await expect(outbox(scene.owner, { address: "203.0.113.9" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-anything",
    "x-real-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "cf-ray",
    "cdn-loop",
    "fly-client-ip",
    "fly-forwarded-port",
    "fastly-client-ip",
    "ngrok-agent-ips",
    "x-amzn-trace-id",
    "x-original-host",
    "x-vercel-id",
    "tailscale-user-login",
  ])("is closed to a request with %s: a proxy or a tunnel passed it on", async (name) => {
    expect((await outbox(scene.owner, { headers: { "user-agent": "test" } })).length).toBeGreaterThan(0);
    await expect(outbox(scene.owner, { headers: { [name]: "127.0.0.1" } })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("is closed where PUBLIC_URL is another machine", async () => {
    await expect(outbox(scene.owner, { isLoopback: false })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
