import { describe, expect, it } from "vitest";
import { createChatClient } from "../../sdk/chat-client";
import { makeTenant, testApp } from "../factories/app";
import { platformKey, raiseRate } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { type TypedLine, typeLine } from "../factories/typed-line";

const BASE = "http://localhost:3000";

const test = await openForFile(testApp());
const ctx = await makeTenant(test);
await raiseRate(test, ctx.tenantId);
const scopes = ["gateway:read", "gateway:write", "secrets:read", "secrets:write"] as const;
const key = await platformKey(ctx, { scopes: [...scopes, "secrets:reveal"], mode: "test" });
const weakKey = await platformKey(ctx, { scopes: ["secrets:read"], mode: "test" });

const fetchApp = (url: string, init: RequestInit): Promise<Response> =>
  test.app.platform.fetch(new Request(url, init), { address: "127.0.0.1" });

/** Types a line at the real svc. */
async function svc(argv: readonly string[], more: Partial<TypedLine> = {}) {
  const { done, said } = typeLine(argv, { key, svc: BASE, fetch: fetchApp, ...more });
  return { code: await done, ...said };
}

describe("svc chat, at a real svc", () => {
  it("streams the answer of svc-echo, which a test key has without a choice, and its usage", async () => {
    expect(await svc(["chat", "Hello there, Ada."])).toEqual({
      code: 0,
      out: "Hello there, Ada.\n",
      err: expect.stringMatching(/^svc-echo \(simulated\): \d+ prompt tokens, 5 completion tokens\.\n$/),
    });
  });

  it("holds a conversation", async () => {
    const { code, out } = await svc(["chat"], { answers: ["One.", "Two.", ""] });
    expect([code, out]).toEqual([0, "One.\nTwo.\n"]);
  });

  it("names a model that does not exist, and a key without the scope", async () => {
    const unknown = await svc(["chat", "hi", "--model", "none"]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/\(404\).*request {5}\S+/s)]);
    const forbidden = await svc(["chat", "hi", "--model", "svc-echo"], { key: weakKey });
    expect([forbidden.code, forbidden.err]).toEqual([1, expect.stringContaining("(403)")]);
  });

  it("is what the SDK's client does", async () => {
    const client = createChatClient({ baseUrl: BASE, key, fetch: fetchApp });
    const messages = [{ role: "user" as const, content: "Hello" }];
    const whole = await client.complete({ model: "svc-echo", messages });
    let text = "";
    for await (const { choices } of client.stream({ model: "svc-echo", messages }))
      text += choices[0]?.delta.content ?? "";
    const models = (await client.models()).map(({ id }) => id);
    expect([whole.choices[0]?.message.content, text, models]).toEqual([
      "Hello",
      "Hello",
      expect.arrayContaining(["svc-echo"]),
    ]);
  });
});

describe("svc secrets, at a real svc", () => {
  const VALUE = "-----BEGIN KEY-----\nabc=\n-----END KEY-----";

  it("stores versions, lists them without values, reveals exactly the value, and deletes", async () => {
    expect((await svc(["secrets", "put", "DEPLOY_KEY"], { input: "old\n" })).out).toBe(
      "Stored DEPLOY_KEY, version 1.\n",
    );
    const put = await svc(["secrets", "put", "DEPLOY_KEY"], { input: `${VALUE}\n` });
    expect(put).toEqual({ code: 0, out: "Stored DEPLOY_KEY, version 2.\n", err: "" });
    const list = await svc(["secrets", "ls"]);
    expect([list.out.includes("DEPLOY_KEY"), list.out.includes("abc=")]).toEqual([true, false]);
    expect(await svc(["secrets", "reveal", "DEPLOY_KEY"])).toEqual({ code: 0, out: VALUE, err: "" });
    expect((await svc(["secrets", "reveal", "DEPLOY_KEY", "--version", "1"])).out).toBe("old");
    expect((await svc(["secrets", "rm", "DEPLOY_KEY"])).code).toBe(0);
    expect(await svc(["secrets", "reveal", "DEPLOY_KEY"])).toMatchObject({ code: 1, out: "" });
  });

  it("reveals nothing without the scope", async () => {
    await svc(["secrets", "put", "OTHER"], { input: "value" });
    const { code, out, err } = await svc(["secrets", "reveal", "OTHER"], { key: weakKey });
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("secrets:reveal")]);
  });
});
