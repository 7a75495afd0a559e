import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, makeShop, type TestApp, testApp } from "../factories/app";

let test: TestApp;
let shop: Awaited<ReturnType<typeof makeShop>>;
beforeAll(async () => {
  test = await testApp();
  shop = await makeShop(test);
});
afterAll(() => test.stop());

describe("200", () => {
  it("answers a matching offer in the fields of the specification", async () => {
    const response = await ask(test.app, { key: shop.serverKey, body: { query: "warm boots" } });
    const body = (await response.json()) as { offers: Record<string, unknown>[] };
    expect(response.status).toBe(200);
    expect(body.offers[0]).toMatchObject({ title: "Warm boots", source: "svc", ad_type: "sponsored_result" });
  });
});
