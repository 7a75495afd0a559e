import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebhookStep } from "../../../server/cloud/events/webhooks/steps";
import { sampled } from "../../factories/sampled";
import { makePlace, type Place, type ServerProcess, startProcess } from "./server-process";

/** How often the server comes by before it dies: some deliveries are through, others are on their way. */
const PASSES: Record<WebhookStep, number> = {
  "events.dispatched": 2,
  "delivery.claimed": 3,
  "delivery.attempted": 5,
  "delivery.stored": 5,
};
const CHANGES = 40;
/** The lease of a lost attempt, and a start. */
const DELIVERED_WITHIN_MS = 120_000;

interface Received {
  body: string;
  /** Requests with the event's id. */
  count: number;
}

let place: Place;
let server: ServerProcess;
const received = new Map<string, Received>();
let onRequest: (() => void) | undefined;
const endpoint = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    const id = String(request.headers["webhook-id"]);
    const known = received.get(id);
    received.set(id, { body, count: (known?.count ?? 0) + 1 });
    if (known) expect(body).toBe(known.body);
    onRequest?.();
    response.end("ok");
  });
});
let changedId = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void endpoint.listen(0, "127.0.0.1", resolve));
  place = await makePlace();
  server = await startProcess(place);
  const { port } = endpoint.address() as AddressInfo;
  await create("receiver", `http://127.0.0.1:${port}/`, ["webhook.updated"]);
  changedId = await create("changed", "https://receiver.invalid/", ["webhook.deleted"]);
}, 300_000);
afterAll(async () => {
  await server?.stop();
  place?.remove();
  endpoint.close();
}, 300_000);

const send = (path: string, method: string, body: object) =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${server.keys.live}` },
    body: JSON.stringify(body),
  });

async function create(name: string, url: string, events: string[]): Promise<string> {
  const response = await send("/v1/webhooks", "POST", { name, url, events });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

/** Renames a webhook until the server has died; returns the names that were acknowledged. */
async function change(word: string): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const name = `${word} ${i}`;
    const response = await send(`/v1/webhooks/${changedId}`, "PATCH", { name }).catch(() => undefined);
    if (!response) break;
    if (response.status === 200) acknowledged.push(name);
  }
  return acknowledged;
}

const namesReceived = () => new Set([...received.values()].map(({ body }) => JSON.parse(body).data.name as string));

/** Ends the leases of the server that died; the last test waits until they end by themselves. */
const endLeases = () =>
  server.rows(
    "postgres",
    "UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending' AND next_attempt_at > now() RETURNING id",
  );

/** Every acknowledged change was delivered, each event has one delivery, and its log agrees with the endpoint. */
async function expectDelivered(names: readonly string[]): Promise<void> {
  await expect
    .poll(() => names.filter((name) => !namesReceived().has(name)), { timeout: DELIVERED_WITHIN_MS, interval: 200 })
    .toEqual([]);
  // A change that died before its acknowledgement has an event too, which may be dispatched last.
  const open = `SELECT e.id FROM events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
    WHERE e.type = 'webhook.updated' AND d.status IS DISTINCT FROM 'succeeded'`;
  await expect.poll(() => server.rows("postgres", open), { timeout: DELIVERED_WITHIN_MS, interval: 200 }).toEqual([]);
  const events = await server.rows("postgres", "SELECT id FROM events WHERE type = 'webhook.updated' ORDER BY id");
  const deliveries = await server.rows("postgres", "SELECT event_id AS id FROM webhook_deliveries ORDER BY event_id");
  expect(deliveries).toEqual(events);
  const logged =
    "SELECT d.id FROM webhook_deliveries d WHERE (SELECT count(*) FROM webhook_attempts a WHERE a.delivery_id = d.id) <> d.attempt_count";
  expect(await server.rows("postgres", logged)).toEqual([]);
  expect([...received.keys()].sort()).toEqual(events.map(({ id }) => id));
}

describe("kill -9 of the server", () => {
  it.each(sampled(Object.entries(PASSES) as [WebhookStep, number][], 2))(
    "at %s loses no event, and creates no second delivery of one",
    async (step, passes) => {
      await server.trap(step, passes);
      const names = await change(step);
      expect(await server.ended).toBe("SIGKILL");
      server = await startProcess(place);
      await endLeases();
      await expectDelivered(names);
    },
    300_000,
  );

  it("while the endpoint responds repeats the attempt with the same event", async () => {
    const { size } = received;
    onRequest = () => {
      onRequest = undefined;
      server.child.kill("SIGKILL");
    };
    const names = await change("responding");
    expect(await server.ended).toBe("SIGKILL");
    expect(received.size).toBeGreaterThan(size);
    server = await startProcess(place);
    await endLeases();
    await expectDelivered(names);
    expect([...received.values()].some(({ count }) => count > 1)).toBe(true);
  }, 300_000);
});
