import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../factories/app";
import { makePlace, type Place, processesOf, type ServerProcess, startDoomed, startProcess } from "./server-process";
import { askOffers, drive, expectExact, follow, Ledger, report, sendAgain } from "./traffic";

let place: Place;
let server: ServerProcess;
const ledger = new Ledger();
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 60_000);

const clickhousePid = (): number => {
  const found = processesOf(place).find(({ command }) => command.includes("sidecar.mjs"));
  if (!found) throw new Error("no ClickHouse runs here");
  return found.pid;
};
const postgresPid = (): number =>
  Number.parseInt(readFileSync(path.join(place.dataDir, "postgres/postmaster.pid"), "utf8"), 10);

describe("kill -9 of ClickHouse", () => {
  it("is noticed by nobody who asks for offers, and loses and doubles nothing once it is back by itself", async () => {
    const doomed = clickhousePid();
    let kills = 0;
    const isOver = () => {
      if (kills === 0 && ledger.seen.size > 100) kills += Number(process.kill(doomed, "SIGKILL"));
      return ledger.seen.size > 1000;
    };
    await drive(server, ledger, isOver);
    expect(kills).toBe(1);
    expect([ledger.seenUnanswered.size, ledger.clickUnanswered.size]).toEqual([0, 0]);
    await eventually(() => processesOf(place).some(({ command }) => command.includes("sidecar.mjs")), 20_000);
    expect(clickhousePid()).not.toBe(doomed);
    await expectExact(server, ledger);
  }, 120_000);
});

describe.each([
  ["SIGKILL", "replay"],
  ["SIGINT", "death while replaying"],
] as const)("Postgres stopped by %s", (signal, then) => {
  it(`refuses what it cannot keep, goes on redirecting, and counts each click once after its ${then}`, async () => {
    const served = (await askOffers(server, 6)) ?? [];
    const [first, second, ...rest] = served;
    if (!first || !second) throw new Error("too few offers");
    for (const id of served) ledger.served.add(id);
    process.kill(postgresPid(), signal);
    await eventually(async () => (await askOffers(server)) === undefined);

    const refused = await fetch(`${server.url}/api/v1/offers`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-api-key": server.keys.server },
      body: JSON.stringify({ query: "wireless headphones" }),
    });
    const { error } = (await refused.json()) as { error: { code: string; retry_after: number } };
    expect([refused.status, error.code]).toEqual([503, "unavailable"]);
    expect(Number(refused.headers.get("retry-after"))).toBe(error.retry_after);
    expect(error.retry_after).toBeGreaterThanOrEqual(1);
    expect(await report(server, rest)).toBe(503);
    for (const id of rest) ledger.seenUnanswered.add(id);

    for (const id of [first, second]) {
      const clickId = await follow(server, id);
      expect(clickId).toMatch(/^[0-9a-f]{32}$/);
      ledger.clicked.set(id, clickId ?? "");
    }
    // Postgres has been tried again in between, and the click keeps its id.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await follow(server, first)).toBe(ledger.clicked.get(first));

    if (then === "replay") await server.stop();
    else {
      await server.kill();
      await startDoomed(place, "replay.claimed");
    }
    server = await startProcess(place);
    await sendAgain(server, ledger);
    await expectExact(server, ledger);
  }, 120_000);
});
