import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../factories/app";
import { isLongRun } from "../../factories/sampled";
import { makePlace, noProcessesOf, type Place, processesOf, type ServerProcess, startProcess } from "./server-process";
import { askOffers, expectExact, follow, followSoon, Ledger, look, report } from "./traffic";

const [IMPRESSIONS, CLICKS] = isLongRun ? [10_000, 2_000] : [4_000, 800];
const BATCH = 256;
const WORKERS = 8;

let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 300_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 300_000);

/** Runs `one` from several callers side by side until it answers false. */
const sideBySide = (one: () => Promise<boolean>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (await one());
    }),
  );

describe("kill -9 of the server", () => {
  const ledger = new Ledger();

  it(`in the middle of ${IMPRESSIONS} impressions leaves exactly as many once all are reported again, and no orphans`, async () => {
    await sideBySide(async () => {
      for (const id of (await askOffers(server)) ?? []) ledger.served.add(id);
      return ledger.served.size < IMPRESSIONS;
    });
    await look();
    const ids = [...ledger.served].slice(0, IMPRESSIONS);
    const batches: string[][] = [];
    for (let at = 0; at < ids.length; at += BATCH) batches.push(ids.slice(at, at + BATCH));

    const waiting = [...batches];
    let acknowledged = 0;
    await sideBySide(async () => {
      const batch = waiting.shift();
      if (!batch) return false;
      const status = await report(server, batch);
      if (status === 204 && ++acknowledged === Math.floor(batches.length / 2)) server.child.kill("SIGKILL");
      if (status === 503) waiting.push(batch);
      return status !== 0;
    });
    expect(await server.ended).toBe("SIGKILL");
    expect(acknowledged).toBeLessThan(batches.length);
    await noProcessesOf(place);

    server = await startProcess(place);
    const again = [...batches];
    await sideBySide(async () => {
      const batch = again.shift();
      if (batch) await eventually(async () => (await report(server, batch)) === 204);
      return batch !== undefined;
    });
    for (const id of ids) ledger.seen.add(id);
    await expectExact(server, ledger);
    const [counted] = await server.rows(
      "clickhouse",
      "SELECT toUInt32(countIf(traffic = '')) AS valid, toUInt32(uniqExactIf(offer_id, traffic = '')) AS offers FROM impressions",
    );
    expect(counted).toEqual({ valid: IMPRESSIONS, offers: IMPRESSIONS });
  }, 300_000);

  it(`in the middle of ${CLICKS} clicks leaves exactly as many once all are followed again, each under the click id it had`, async () => {
    const ids = [...ledger.served].slice(0, CLICKS);
    const followAll = async <C extends string | undefined>(
      send: (server: ServerProcess, id: string) => Promise<C>,
      heard: (clickId: C, id: string) => boolean,
    ) => {
      const waiting = [...ids];
      await sideBySide(async () => {
        const id = waiting.shift();
        return id !== undefined && heard(await send(server, id), id);
      });
    };
    const before = new Map<string, string>();
    await followAll(follow, (clickId, id) => {
      if (clickId) before.set(id, clickId);
      if (before.size === CLICKS / 2) server.child.kill("SIGKILL");
      return clickId !== undefined;
    });
    expect(await server.ended).toBe("SIGKILL");
    expect(before.size).toBeLessThan(CLICKS);
    await noProcessesOf(place);

    server = await startProcess(place);
    for (let round = 0; round < 2; round++) {
      await followAll(followSoon, (clickId, id) => {
        expect(clickId).toBe(before.get(id) ?? clickId);
        return ledger.clicked.set(id, clickId).has(id);
      });
    }
    await expectExact(server, ledger);
    expect(ledger.clicked.size).toBe(CLICKS);
  }, 300_000);
});

describe("SIGTERM", () => {
  it("finishes a slow request that is under way, takes no new ones, exits with 0 and leaves no process", async () => {
    const body = JSON.stringify({ query: "wireless headphones" });
    const slow = request(`${server.url}/api/v1/offers`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": body.length,
        "x-svc-api-key": server.keys.server,
      },
    });
    const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      slow.once("error", reject);
      slow.once("response", (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, text }));
      });
    });
    slow.write(body.slice(0, 10));
    await eventually(async () => (await askOffers(server)) !== undefined);
    server.child.kill("SIGTERM");
    await eventually(async () => (await askOffers(server)) === undefined);
    expect(processesOf(place).length).toBeGreaterThan(0);
    slow.end(body.slice(10));
    const { status, text } = await answered;
    expect([status, (JSON.parse(text) as { offers: unknown[] }).offers.length]).toEqual([200, 1]);
    expect(await server.ended).toBe(0);
    await noProcessesOf(place);
  }, 300_000);
});
