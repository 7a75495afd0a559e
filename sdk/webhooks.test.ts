import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { type VerifyOptions, WebhookVerificationError, webhooks } from "./webhooks";

const secretOf = (bytes: Buffer): string => `whsec_${bytes.toString("base64")}`;
const newSecret = (): string => secretOf(randomBytes(32));
/** Fixed, because they are in the names of tests. */
const SECRET = secretOf(Buffer.alloc(32, 250));
const OTHER = secretOf(Buffer.alloc(32, 7));
const NOW = 1_800_000_000;
const EVENT = {
  id: "evt_1",
  type: "campaign.created",
  created_at: "2027-01-15T08:00:00.000Z",
  tenant_id: "ten_1",
  project_id: null,
  mode: "live",
  data: { name: "Grüße 👋", price: 1.5, escaped: "a\\/b" },
};
const BODY = JSON.stringify(EVENT);
const LARGE = BODY.replace("1.5", "9007199254740993");
const at = (seconds: number): VerifyOptions => ({ now: () => seconds * 1000 });

const hexOf = (text: string, secret = SECRET): string => createHmac("sha256", secret).update(text).digest("hex");
/** The headers that the specification defines, made without the code under test. */
function headersOf({ body = BODY, time = NOW, secrets = [SECRET] } = {}) {
  const signatures = secrets.map((secret) => `v1=${hexOf(`${time}.${body}`, secret)}`);
  return { "X-SVC-Timestamp": String(time), "X-SVC-Signature": [`t=${time}`, ...signatures].join(",") };
}
function standardHeadersOf({ body = BODY, time = NOW, id = "evt_1", secrets = [SECRET] } = {}) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": signatures.join(" ") };
}
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "accepted",
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : error),
  );
const verified = (headers: object, options = at(NOW), body: string | Uint8Array = BODY): Promise<unknown> =>
  codeOf(webhooks.verify(body, headers as Record<string, string>, SECRET, options));

describe("verify accepts", () => {
  it("the bytes that were signed, as text, bytes, a view of a larger buffer or an ArrayBuffer", async () => {
    const bytes = new TextEncoder().encode(BODY);
    const padded = Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]);
    const view = padded.subarray(6, 6 + bytes.length);
    for (const body of [BODY, bytes, Buffer.from(BODY), view, bytes.buffer, new DataView(bytes.buffer)]) {
      expect(await webhooks.verify(body, headersOf(), SECRET, at(NOW))).toEqual(EVENT);
    }
  });

  it("headers in any case and form", async () => {
    const given = headersOf();
    const [time, signature] = [given["X-SVC-Timestamp"], given["X-SVC-Signature"]];
    const node: IncomingHttpHeaders = { "x-svc-timestamp": time, "x-svc-signature": signature, cookie: undefined };
    const forms = [
      given,
      node,
      new Headers(given),
      { "X-Svc-TIMESTAMP": [time], "x-svc-SIGNATURE": [signature] },
      { ...given, "X-SVC-Signature": signature.replaceAll(",", ", ") },
      { ...given, "X-SVC-Signature": `v0=abc,${signature},v2=later` },
    ];
    for (const headers of forms) expect(await verified(headers)).toBe("accepted");
  });

  it("either secret during a rotation, on both sides", async () => {
    const both = headersOf({ secrets: [OTHER, SECRET] });
    expect(await verified(both)).toBe("accepted");
    expect(await codeOf(webhooks.verify(BODY, headersOf(), [OTHER, SECRET], at(NOW)))).toBe("accepted");
    expect(await codeOf(webhooks.verify(BODY, both, [newSecret(), newSecret()], at(NOW)))).toBe("no_match");
  });

  it("the headers of Standard Webhooks alone", async () => {
    expect(await verified(standardHeadersOf())).toBe("accepted");
    expect(await verified(standardHeadersOf({ secrets: [OTHER, SECRET] }))).toBe("accepted");
    expect(await verified(new Headers(standardHeadersOf()))).toBe("accepted");
  });

  it("300 s of difference in both directions, and not one more", async () => {
    for (const headers of [headersOf(), standardHeadersOf()]) {
      const found = [-301, -300, 0, 300, 301].map((offset) => verified(headers, at(NOW + offset)));
      expect(await Promise.all(found)).toEqual(["too_new", "accepted", "accepted", "accepted", "too_old"]);
      expect(await verified(headers, { ...at(NOW + 2), toleranceSeconds: 1 })).toBe("too_old");
      expect(await verified(headers, { ...at(NOW + 400), toleranceSeconds: 400 })).toBe("accepted");
    }
  });

  it("the request of a real server, whose headers Node parsed", async () => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const event = await webhooks.verify(Buffer.concat(chunks), request.headers, SECRET);
      response.end(event.type);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const headers = await webhooks.sign(BODY, SECRET);
      expect(await (await fetch(url, { method: "POST", headers, body: BODY })).text()).toBe("campaign.created");
    } finally {
      server.close().closeAllConnections();
    }
  });
});

describe("verify rejects", () => {
  it.each([
    ["another body", { body: BODY.replace("1.5", "9.5") }],
    ["a body that was parsed and written again", { body: JSON.stringify(JSON.parse(BODY), null, 1) }],
    ["another secret", { secrets: [OTHER] }],
  ])("%s", async (_, signed) => {
    expect(await verified(headersOf(signed))).toBe("no_match");
    expect(await verified(standardHeadersOf(signed))).toBe("no_match");
  });

  it("a time or an id that was not signed", async () => {
    const moved = headersOf()["X-SVC-Signature"].replace(`t=${NOW}`, `t=${NOW + 1}`);
    expect(await verified({ "X-SVC-Timestamp": `${NOW + 1}`, "X-SVC-Signature": moved })).toBe("no_match");
    expect(await verified({ ...headersOf(), "X-SVC-Timestamp": `${NOW + 1}` })).toBe("malformed_header");
    expect(await verified({ ...standardHeadersOf(), "webhook-timestamp": `${NOW + 1}` })).toBe("no_match");
    expect(await verified({ ...standardHeadersOf(), "webhook-id": "evt_2" })).toBe("no_match");
  });

  it("a signature of one scheme in the headers of the other", async () => {
    const hex = headersOf()["X-SVC-Signature"].split("v1=")[1] ?? "";
    const base64 = Buffer.from(hex, "hex").toString("base64");
    expect(await verified({ ...standardHeadersOf(), "webhook-signature": `v1,${base64}` })).toBe("no_match");
  });

  it("valid headers of Standard Webhooks beside its own that are not", async () => {
    expect(await verified({ ...standardHeadersOf(), ...headersOf({ secrets: [OTHER] }) })).toBe("no_match");
  });

  const signature = headersOf()["X-SVC-Signature"];
  const v1 = signature.split(",")[1] ?? "";
  it.each([
    ["missing_header", {}],
    ["missing_header", { "X-SVC-Signature": signature }],
    ["missing_header", { "X-SVC-Timestamp": String(NOW) }],
    ["missing_header", { ...headersOf(), "X-SVC-Signature": "" }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": v1 }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": `t=${NOW}` }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": `t=${NOW},${v1},t=${NOW}` }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": `t=${NOW},v1=abc` }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": signature.toUpperCase() }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": `t=${NOW},${Array(17).fill(v1).join()}` }],
    ["malformed_header", { ...headersOf(), "X-SVC-Signature": `${signature},${"x".repeat(5_000)}` }],
    ["malformed_header", { ...headersOf(), "X-SVC-Timestamp": [String(NOW), String(NOW)] }],
    ["malformed_header", { "X-SVC-Timestamp": "1.5", "X-SVC-Signature": signature.replace(String(NOW), "1.5") }],
    ["malformed_header", { "X-SVC-Timestamp": "-1", "X-SVC-Signature": signature.replace(String(NOW), "-1") }],
    ["missing_header", { ...standardHeadersOf(), "webhook-id": undefined }],
    ["malformed_header", { ...standardHeadersOf(), "webhook-id": "evt.1" }],
    ["malformed_header", { ...standardHeadersOf(), "webhook-signature": "v1a,abc" }],
    ["malformed_header", { ...standardHeadersOf(), "webhook-signature": "v1,abc" }],
    ["malformed_header", { ...standardHeadersOf(), "webhook-timestamp": "today" }],
  ])("with %s: %j", async (code, headers) => {
    expect(await verified(headers)).toBe(code);
  });

  it.each(["", "null", "[]", "{", '{"id":"evt_1"}', '{"id":1,"type":"a","data":{}}', "\ufeff{}"])(
    "a signed body that is no event: %j",
    async (body) => {
      expect(await verified(headersOf({ body }), at(NOW), body)).toBe("malformed_body");
    },
  );

  it("bytes that are not UTF-8, although they were signed", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":"evt_1","type":"a","data":{"b":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}'),
    ]);
    const mac = createHmac("sha256", SECRET).update(`${NOW}.`).update(bytes).digest("hex");
    const headers = { "X-SVC-Timestamp": String(NOW), "X-SVC-Signature": `t=${NOW},v1=${mac}` };
    expect(await verified(headers, at(NOW), bytes)).toBe("malformed_body");
  });

  it("mistakes of the program as TypeErrors, and repeats no secret", async () => {
    const bad = SECRET.replace("whsec_", "whsek_");
    const secrets = [undefined, "", [], [SECRET, ""], `${SECRET}\n`, bad, "whsec_", "whsec_a", Array(17).fill(SECRET)];
    for (const secret of secrets) {
      const failure = await codeOf(webhooks.verify(BODY, headersOf(), secret as string, at(NOW)));
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).not.toContain(SECRET.slice(6, 20));
    }
    for (const body of [EVENT, undefined, null, 1]) {
      const failure = await codeOf(webhooks.verify(body as unknown as string, headersOf(), SECRET, at(NOW)));
      expect(String(failure)).toMatch(/^TypeError: rawBody must be the body as received/);
    }
    for (const toleranceSeconds of [Number.NaN, -1, Number.POSITIVE_INFINITY, "300" as unknown as number]) {
      expect(await verified(headersOf(), { ...at(NOW), toleranceSeconds })).toBeInstanceOf(TypeError);
    }
  });
});

/** What other people's libraries make of ours, and ours of theirs; they read the clock themselves. */
describe("agrees with", () => {
  const time = Math.floor(Date.now() / 1000);
  const stripe = new Stripe("sk_test_none");
  const constructs = (body: string, headers: Record<string, string>, secret = SECRET) =>
    stripe.webhooks.constructEvent(body, headers["X-SVC-Signature"] ?? "", secret) as unknown;

  it("Stripe's library on X-SVC-Signature", async () => {
    const signature = stripe.webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET, timestamp: time });
    const theirs = { "X-SVC-Timestamp": String(time), "X-SVC-Signature": signature };
    expect(await webhooks.verify(BODY, theirs, SECRET, at(time))).toEqual(EVENT);
    const ours = await webhooks.sign(BODY, [OTHER, SECRET]);
    for (const secret of [SECRET, OTHER]) expect(constructs(BODY, ours, secret)).toEqual(EVENT);
    expect(() => constructs(BODY, ours, newSecret())).toThrow("No signatures found");
    expect(() => constructs(BODY.replace("1.5", "9.5"), ours)).toThrow("No signatures found");
    const stale = await webhooks.sign(BODY, SECRET, at(time - 400));
    expect(() => constructs(BODY, stale)).toThrow("Timestamp outside the tolerance zone");
    expect(await codeOf(webhooks.verify(BODY, stale, SECRET))).toBe("too_old");
  });

  it.each([
    ["Standard Webhooks'", StandardWebhook],
    ["Svix's", SvixWebhook],
  ])("%s library on webhook-signature", async (_, Webhook) => {
    const signature = new Webhook(SECRET).sign("evt_1", new Date(time * 1000), BODY);
    const theirs = { "webhook-id": "evt_1", "webhook-timestamp": String(time), "webhook-signature": signature };
    expect(await webhooks.verify(BODY, theirs, SECRET, at(time))).toEqual(EVENT);
    const ours = await webhooks.sign(BODY, [OTHER, SECRET]);
    for (const secret of [SECRET, OTHER]) {
      expect(() => new Webhook(secret).verify(BODY, ours)).not.toThrow();
    }
    expect(() => new Webhook(newSecret()).verify(BODY, ours)).toThrow("No matching signature found");
    for (const offset of [-400, 400]) {
      const moved = await webhooks.sign(BODY, SECRET, at(time + offset));
      expect(() => new Webhook(SECRET).verify(BODY, moved)).toThrow(/timestamp too/);
      const { "X-SVC-Signature": _s, "X-SVC-Timestamp": _t, ...standard } = moved;
      expect(await codeOf(webhooks.verify(BODY, standard, SECRET))).toBe(offset < 0 ? "too_old" : "too_new");
    }
  });

  it("itself: what sign makes, verify accepts, by either set of headers", async () => {
    const { "X-SVC-Signature": signature, "X-SVC-Timestamp": stamp, ...standard } = await webhooks.sign(BODY, SECRET);
    expect(standard["webhook-id"]).toBe("evt_1");
    const svc = { "X-SVC-Signature": signature ?? "", "X-SVC-Timestamp": stamp ?? "" };
    for (const headers of [svc, standard]) expect(await webhooks.verify(BODY, headers, SECRET)).toEqual(EVENT);
  });
});

it("verify keeps all digits of a number of the data", async () => {
  const { data } = await webhooks.verify(LARGE, headersOf({ body: LARGE }), SECRET, at(NOW));
  expect(data).toMatchObject({ price: 9007199254740993n });
});
