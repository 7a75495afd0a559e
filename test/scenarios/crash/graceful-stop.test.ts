import { spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../factories/app";
import { makePlace, type Place, processesOf, type ServerProcess, startProcess } from "./server-process";

let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  place = await makePlace();
  server = await startProcess(place);
}, 300_000);
afterAll(() => place?.remove());

const BODY = JSON.stringify({ query: "wireless headphones" });

interface Outcome {
  ids: string[];
  failures: string[];
}

/** Asks for offers over one keep-alive connection until the server announces its close; notes what failed. */
async function busyClient({ ids, failures }: Outcome): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = new URL(server.url);
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
      if (status !== 200) return void failures.push(`${status} ${text}`);
      for (const { id } of JSON.parse(text).offers) ids.push(id);
      if (isLast) return;
    } catch (failure) {
      return void failures.push(String(failure));
    } finally {
      await sleep(1);
    }
  }
}

it("keeps its engines out of its own process group, so that a signal to the group reaches the server alone", () => {
  // A trial of a runtime may end while it is looked at.
  const groupOf = (pid: number) =>
    spawnSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  const own = groupOf(server.child.pid ?? 0);
  expect(own).toMatch(/^\d+$/);
  const engines = processesOf(place).filter(({ pid }) => pid !== server.child.pid);
  expect(engines.length).toBeGreaterThan(1);
  expect(engines.filter(({ pid }) => groupOf(pid) === own)).toEqual([]);
});

it("loses no request of 32 busy keep-alive clients, and none of their offers", async () => {
  const outcomes = Array.from({ length: 32 }, (): Outcome => ({ ids: [], failures: [] }));
  const clients = outcomes.map(busyClient);
  await eventually(() => outcomes.every(({ ids, failures }) => ids.length > 1 || failures.length > 0), 60_000);
  expect(await server.stop()).toBe(0);
  await Promise.all(clients);
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
}, 300_000);
