import { expect, it } from "vitest";
import type { Surface } from "./mount-rows";
import { withDocument } from "./openapi-document";

const surface: Surface = { fetch: async () => new Response("the surface") };
const PATH = "/api/v1/openapi.json";
const documents = {
  offers: withDocument(surface, { path: PATH, document: () => ({ openapi: "3.1.0" }), hasPreflight: true }),
  cloud: withDocument(surface, { path: PATH, document: () => ({ openapi: "3.1.0" }) }),
};
const ask = (name: keyof typeof documents, method: string, path = PATH) => {
  const headers = { "x-request-id": "mine.1", origin: "https://a.example" };
  return documents[name].fetch(new Request(`http://x${path}`, { method, headers }), { address: "" });
};

it("may be read from anywhere, by GET and HEAD, under the caller's request id", async () => {
  const read = await ask("offers", "GET");
  expect(await read.json()).toEqual({ openapi: "3.1.0" });
  const head = await ask("offers", "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const { headers } of [read, head]) {
    const named = ["content-type", "access-control-allow-origin", "cache-control", "vary", "x-request-id"];
    expect(named.map((name) => headers.get(name))).toEqual(["application/json", "*", "no-store", "Origin", "mine.1"]);
  }
});

it.each(["POST", "PUT", "PATCH", "DELETE"])("responds to %s with the allowed methods", async (method) => {
  for (const name of ["offers", "cloud"] as const) {
    const refused = await ask(name, method);
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await refused.json()).toMatchObject({ error: { code: "method_not_allowed", request_id: "mine.1" } });
  }
});

it("leaves the preflight and every other path to the surface", async () => {
  expect(await (await ask("offers", "OPTIONS")).text()).toBe("the surface");
  expect((await ask("cloud", "OPTIONS")).status).toBe(405);
  for (const path of ["/api/v1/offers", `${PATH}/more`, `/api/v1/offers?at=${PATH}`]) {
    expect(await (await ask("offers", "GET", path)).text()).toBe("the surface");
  }
});
