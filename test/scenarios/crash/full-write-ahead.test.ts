import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BROWSER } from "../../factories/calls";
import { makePlace, type Place, processesOf, type ServerProcess, startProcess } from "./server-process";
import { askOffers, caughtUp, follow, look, report } from "./traffic";

const ROUNDS_MAX = 400;
const IN_PARALLEL = 4;

let place: Place;
let server: ServerProcess;
let frozen: number[] = [];
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess({ ...place, env: { SVC_WAL_MAX_MB: "1" } });
}, 300_000);
afterAll(async () => {
  thaw();
  await server?.stop();
  place?.remove();
}, 300_000);

function thaw(): void {
  for (const pid of frozen.splice(0)) process.kill(pid, "SIGCONT");
}

/** A metric of `/metrics`, summed over its labels; the rows of the table alone where one is named. */
async function metric(name: string, table?: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}${table ? `{table="${table}"}` : ""}`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

const countOf = async (query: string) =>
  Number((await server.rows("clickhouse", `SELECT count() AS n FROM ${query}`))[0]?.n);

it("while ClickHouse is away for long, facts are dropped by priority; offers, impressions and clicks go on and all money arrives", async () => {
  frozen = processesOf(place)
    .filter(({ command }) => command.includes("sidecar.mjs"))
    .map(({ pid }) => pid);
  for (const pid of frozen) process.kill(pid, "SIGSTOP");

  const minted: string[] = [];
  for (let round = 0; round < ROUNDS_MAX && (await metric("svc_facts_shed_total", "offers")) === 0; round++) {
    const answers = await Promise.all(Array.from({ length: IN_PARALLEL }, () => askOffers(server)));
    // Undefined is any answer but 200.
    expect(answers).not.toContain(undefined);
    minted.push(...answers.flatMap((ids) => ids ?? []));
  }
  expect(await metric("svc_facts_shed_total", "requests")).toBeGreaterThan(0);
  expect(await metric("svc_facts_shed_total", "offers")).toBeGreaterThan(0);
  const [waiting, max] = [await metric("svc_wal_waiting_bytes "), await metric("svc_wal_waiting_bytes_max")];
  expect(max).toBe(2 ** 20);
  expect(waiting).toBeLessThanOrEqual(max);
  const ready = await fetch(`${server.url}/readyz`);
  const { status, engines } = (await ready.json()) as { status: string; engines: { name: string; ok: boolean }[] };
  const away = engines.filter(({ ok }) => !ok).map(({ name }) => name);
  expect([ready.status, status, away]).toEqual([200, "degraded", ["clickhouse", "write-ahead room"]]);

  await look();
  const seen = minted.slice(-40);
  expect(await report(server, seen)).toBe(204);
  const clicks = new Map<string, string>();
  for (const id of seen.slice(0, 10)) clicks.set(id, (await follow(server, id)) ?? "");
  expect([...clicks.values()].filter((id) => id === "")).toEqual([]);
  // A second click does not count, so its row may be dropped; it redirects all the same.
  for (const id of clicks.keys()) {
    const again = await fetch(`${server.url}/api/v1/clicks/${id}`, {
      redirect: "manual",
      headers: { "user-agent": BROWSER },
    });
    expect(again.status).toBe(302);
  }

  thaw();
  await sleep(1000);
  await expect
    .poll(
      () =>
        caughtUp(server).then(
          () => true,
          () => false,
        ),
      { timeout: 100_000 },
    )
    .toBe(true);
  expect(await countOf("impressions WHERE traffic = ''")).toBe(seen.length);
  const rows = await server.rows("clickhouse", "SELECT offer_id, click_id FROM clicks WHERE traffic = ''");
  expect(new Map(rows.map((row) => [row.offer_id, row.click_id]))).toEqual(clicks);
  const dropped = await metric("svc_facts_shed_total", "offers");
  expect((await countOf("offers")) + dropped).toBe(minted.length);
  // Facts are stored again.
  const later = (await askOffers(server)) ?? [];
  await caughtUp(server);
  expect(await countOf(`offers WHERE offer_id IN ('${later.join("','")}')`)).toBe(later.length);
}, 300_000);
