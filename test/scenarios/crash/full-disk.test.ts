import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../factories/app";
import { makePlace, type Place, type ServerProcess, startProcess } from "./server-process";
import { makeSmallDisk } from "./small-disk";
import { askOffers, expectExact, Ledger, look, report, sendAgain } from "./traffic";

const disk = makeSmallDisk(700);

let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  if (!disk.isLimited) return;
  place = await makePlace();
  const dataDir = path.join(disk.dir, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  server = await startProcess({ ...place, dataDir });
}, 300_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
  disk.remove();
}, 300_000);

const post = (to: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${to}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Some writes fit into pages that Postgres has already: one that finds no room is 503, and none is 500. */
async function expectRefusals(send: (i: number) => Promise<Response>, done: number): Promise<void> {
  for (let i = 0; ; i++) {
    const { status, headers } = await send(i);
    expect([done, 503]).toContain(status);
    if (status === 503) return expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    if (i % 20 === 0) disk.fill();
    expect(i, "the disk is full and every write succeeds").toBeLessThan(2000);
  }
}

const ready = async () => {
  const response = await fetch(`${server.url}/readyz`);
  const { engines } = (await response.json()) as { engines: { name: string; ok: boolean; error?: string }[] };
  return { status: response.status, errors: engines.flatMap(({ error }) => error ?? []).join("\n") };
};

describe.skipIf(!disk.isLimited)("a disk that is full (skipped where the user of the tests may not mount one)", () => {
  it("turns writes into 503 and readyz into not ready, clicks still redirect, and all goes on once there is room", async () => {
    const ledger = new Ledger();
    const served = (await askOffers(server, 6)) ?? [];
    for (const id of served) ledger.served.add(id);
    await look();
    expect((await ready()).status).toBe(200);

    // The engines free some space by themselves now and then.
    await expect
      .poll(() => {
        disk.fill();
        return ready();
      })
      .toMatchObject({ status: 503, errors: expect.stringMatching(/has \d MB left, and 64 MB is the minimum/) });
    await expectRefusals(
      () => post("/api/v1/offers", { query: "headphones" }, { "x-svc-api-key": server.keys.server }),
      200,
    );
    const bearer = { authorization: `Bearer ${server.keys.live}` };
    await expectRefusals((i) => post("/v1/ads/channels", { name: `full ${i} ${"x".repeat(80)}` }, bearer), 201);
    await expectRefusals(() => post("/v1/auth/login", server.dashboard), 200);
    for (const id of served)
      expect((await fetch(`${server.url}/api/v1/clicks/${id}`, { redirect: "manual" })).status).toBe(302);
    expect([204, 503]).toContain(await report(server, served));
    for (const id of served) ledger.seenUnanswered.add(id);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

    disk.free();
    await eventually(async () => (await ready()).status === 200, 60_000);
    await eventually(async () => ((await askOffers(server)) ?? []).length > 0, 60_000);
    expect((await post("/v1/auth/login", server.dashboard)).status).toBe(200);
    expect((await post("/v1/ads/channels", { name: "room again" }, bearer)).status).toBe(201);
    await sendAgain(server, ledger);
    await expectExact(server, ledger);
    expect(server.child.exitCode).toBeNull();
  }, 300_000);
});
