import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { webhooks } from "../../../../sdk/webhooks";
import { openForFile } from "../../../../test/factories/open-for-file";
import type { ReceivedRequest } from "../../../../test/factories/webhook-receiver";
import { call, webhookTest } from "../../../../test/factories/webhooks";
import { rotateWebhookSecret } from "./rotate-webhook-secret";

const WINDOW_SECONDS = 300;
const HOUR_MS = 3_600_000;

let hosts = 0;
const test = await openForFile(webhookTest());
const tenant = await test.tenant();

const headersOf = ({ headers }: ReceivedRequest) => headers as Record<string, string>;

/** Throws unless the library accepts the request now. */
const VERIFIERS: Record<string, (request: ReceivedRequest, secret: string) => unknown> = {
  "@svc/sdk": (request, secret) => webhooks.verify(request.body, request.headers, secret),
  stripe: (request, secret) =>
    new Stripe("sk_test_none").webhooks.constructEvent(
      request.body,
      headersOf(request)["x-svc-signature"] ?? "",
      secret,
      WINDOW_SECONDS,
    ),
  standardwebhooks: (request, secret) => new StandardWebhook(secret).verify(request.body, headersOf(request)),
  svix: (request, secret) => new SvixWebhook(secret).verify(request.body, headersOf(request)),
  /** The specification's rule: the absolute difference counts. */
  specification: ({ body, headers }, secret) => {
    const [t = "", ...signatures] = String(headers["x-svc-signature"]).split(",");
    const unix = t.slice("t=".length);
    const expected = `v1=${createHmac("sha256", secret).update(`${unix}.${body}`).digest("hex")}`;
    if (unix !== headers["x-svc-timestamp"]) throw new Error("two times");
    if (!signatures.includes(expected)) throw new Error("wrong signature");
    if (Math.abs(Date.now() / 1000 - Number(unix)) > WINDOW_SECONDS) throw new Error("outside of the window");
  },
};
const NAMES = Object.keys(VERIFIERS);
const verify = async (name: string, request: ReceivedRequest, secret: string): Promise<true> => {
  await VERIFIERS[name]?.(request, secret);
  return true;
};

/** One request to a new webhook, with the clock `shiftMs` away from now. */
async function requestAt(shiftMs: number, rotations: { at: number }[] = []) {
  const host = `signed-${++hosts}.example`;
  const toNow = () => Date.now() - test.clock.now().getTime();
  test.clock.advance(toNow() + shiftMs);
  for (const { at } of rotations.slice(0, 1)) test.clock.advance(at);
  const webhook = await tenant.webhook(host);
  const secrets = [webhook.secret];
  for (const { at } of rotations) {
    test.clock.advance(toNow() + shiftMs + at);
    secrets.unshift((await call(tenant.ctx, rotateWebhookSecret, { id: webhook.id })).secret);
  }
  test.clock.advance(toNow() + shiftMs);
  await tenant.record("42");
  await test.deliver();
  const [request] = test.receiver.requestsTo(host);
  if (!request) throw new Error("Nothing was sent.");
  return { request, secrets };
}

describe.each(NAMES)("%s", (name) => {
  it("accepts a request with the secret", async () => {
    const { request, secrets } = await requestAt(0);
    await expect(verify(name, request, secrets[0] ?? "")).resolves.toBe(true);
    expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it("rejects another secret, a changed body and a body that was serialized again", async () => {
    const { request, secrets } = await requestAt(0);
    const { secrets: others } = await requestAt(0);
    const [secret = "", other = ""] = [secrets[0], others[0]];
    const [changed, serialized] = [request.body.replace("42", "43"), JSON.stringify(JSON.parse(request.body), null, 1)];
    await expect(verify(name, request, other)).rejects.toThrow();
    await expect(verify(name, { ...request, body: changed }, secret)).rejects.toThrow();
    await expect(verify(name, { ...request, body: serialized }, secret)).rejects.toThrow();
  });

  it("rejects a request that is more than 300 s old", async () => {
    const { request, secrets } = await requestAt(-(WINDOW_SECONDS + 5) * 1000);
    await expect(verify(name, request, secrets[0] ?? "")).rejects.toThrow();
  });

  // Stripe's library accepts any time in the future.
  it.skipIf(name === "stripe")("rejects a request that is more than 300 s ahead", async () => {
    const { request, secrets } = await requestAt((WINDOW_SECONDS + 60) * 1000);
    await expect(verify(name, request, secrets[0] ?? "")).rejects.toThrow();
  });

  it("accepts the secret before the last rotation for 24 h, and no earlier one", async () => {
    const { request, secrets } = await requestAt(0, [{ at: -2 * HOUR_MS }, { at: -23 * HOUR_MS }]);
    const [current = "", previous = "", first = ""] = secrets;
    await expect(verify(name, request, current)).resolves.toBe(true);
    await expect(verify(name, request, previous)).resolves.toBe(true);
    await expect(verify(name, request, first)).rejects.toThrow();
  });

  it("rejects the secret before the last rotation after 24 h", async () => {
    const { request, secrets } = await requestAt(0, [{ at: -24 * HOUR_MS - 5000 }]);
    const [current = "", previous = ""] = secrets;
    await expect(verify(name, request, current)).resolves.toBe(true);
    await expect(verify(name, request, previous)).rejects.toThrow();
  });
});

it("the headers have the form of the specification, with one signature per secret", async () => {
  const { request } = await requestAt(0, [{ at: -HOUR_MS }]);
  expect(headersOf(request)).toMatchObject({
    "x-svc-timestamp": expect.stringMatching(/^\d{10}$/),
    "x-svc-signature": expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/),
    "webhook-signature": expect.stringMatching(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/),
  });
});
