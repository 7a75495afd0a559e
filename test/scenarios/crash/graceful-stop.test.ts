import { execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePlace, type Place, processesOf, type ServerProcess, startProcess } from "./server-process";

let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 120_000);
afterAll(() => place?.remove());

const BODY = JSON.stringify({ query: "wireless headphones" });

/** Asks for offers over one keep-alive connection until the server announces its close; counts what failed. */
async function busyClient(): Promise<{ ids: string[]; failures: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = new URL(server.url);
  const ids: string[] = [];
  const ask = () =>
    new Promise<{ status: number; text: string; isLast: boolean }>((resolve, reject) => {
      const headers = { "content-type": "application/json", "x-svc-api-key": server.keys.server };
      const sent = request(
        { agent, port, host: "localhost", method: "POST", path: "/api/v1/offers", headers },
        (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, text, isLast: response.headers.connection === "close" }),
          );
          response.on("error", reject);
        },
      );
      sent.on("error", reject);
      sent.end(BODY);
    });
  for (;;) {
    try {
      const { status, text, isLast } = await ask();
      if (status !== 200) return { ids, failures: [`${status} ${text}`] };
      for (const { id } of JSON.parse(text).offers) ids.push(id);
      if (isLast) return { ids, failures: [] };
    } catch (failure) {
      return { ids, failures: [String(failure)] };
    } finally {
      await sleep(1);
    }
  }
}

it("keeps its engines out of its own process group, so that a signal to the group reaches the server alone", () => {
  const groupOf = (pid: number) => execFileSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" }).trim();
  const own = groupOf(server.child.pid ?? 0);
  const engines = processesOf(place).filter(({ pid }) => pid !== server.child.pid);
  expect(engines.length).toBeGreaterThan(1);
  expect(engines.filter(({ pid }) => groupOf(pid) === own)).toEqual([]);
});

it("loses no request of 32 busy keep-alive clients, and none of their offers", async () => {
  const clients = Array.from({ length: 32 }, () => busyClient());
  await sleep(1500);
  expect(await server.stop()).toBe(0);
  const outcomes = await Promise.all(clients);
  expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  const ids = outcomes.flatMap((outcome) => outcome.ids);
  expect(ids.length).toBeGreaterThan(32);
  server = await startProcess(place);
  const rows = await server.rows(
    "postgres",
    `SELECT count(*)::int AS n FROM offers WHERE id = ANY ('{${ids.join(",")}}')`,
  );
  expect(rows).toEqual([{ n: ids.length }]);
  await server.stop();
}, 120_000);
