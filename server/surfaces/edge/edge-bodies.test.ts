import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import type { EdgeReceiver, EdgeRequest, EdgeRunner } from "../../cloud/edge/workers/edge-runner";
import { ByteBudget } from "../../kernel/byte-budget";
import { createEdgeSurface } from "./create-edge-surface";

const KIB = 1024;
const MIB = 1024 * KIB;
const SLOW = "slow.example";

const edge = {
  logs: { add: () => undefined },
  slugOf: (host = "") => host.split(".", 1)[0],
  find: async (slug: string) => ({ fn: { id: slug, version: 1 } }),
  run: async (_fn: unknown, { body }: EdgeRequest, receiver: EdgeReceiver) => {
    receiver.head(200, []);
    await receiver.body(Buffer.from(String(body.length)));
    receiver.end();
  },
} satisfies Partial<Record<keyof EdgeRunner, unknown>> as unknown as EdgeRunner;

const servers: Server[] = [];
/** The port of a server whose functions respond with the length of the body. */
async function serve(bodies: ByteBudget): Promise<number> {
  const surface = createEdgeSurface({
    edge,
    publicUrl: "http://svc.example",
    log: pino({ level: "silent" }),
    bodies,
    connectionsPerAddress: { max: 50, exemptsLoopback: true },
    counters: { take: async () => ({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 0 }) },
  });
  const server = createServer((incoming, outgoing) => {
    const address = String(incoming.headers["x-test-address"]);
    void surface.serve(incoming, outgoing, { address });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

interface Sent {
  port: number;
  host: string;
  address: string;
  body: string | Buffer;
  /** The rest of the body never comes. */
  stalls?: boolean;
}

/** The status, the body and Retry-After of a response. */
function send({ port, host, address, body, stalls = false }: Sent) {
  const headers = { host, "x-test-address": address, "content-length": body.length + (stalls ? 1 : 0) };
  const sent = request({ port, host: "127.0.0.1", method: "POST", headers, agent: false });
  const response = once(sent, "response") as Promise<[IncomingMessage]>;
  if (stalls) sent.write(body);
  else sent.end(body);
  return response.then(async ([received]) => ({
    status: received.statusCode,
    retryAfter: received.headers["retry-after"],
    body: await text(received),
  }));
}

const patient = () => serve(new ByteBudget(16 * MIB, () => 120_000));

it("one client has as many requests to edge functions at once as it may, and others go on", async () => {
  const port = await serve(new ByteBudget(16 * MIB, () => 120_000));
  const ask = (address: string, more: Partial<Sent> = {}) =>
    send({ port, host: "one.example", address, body: "x", ...more });
  const held = Array.from({ length: 51 }, () => ask("6.6.6.6", { stalls: true }));
  for (const one of held) one.catch(() => undefined);
  expect(await Promise.any(held)).toMatchObject({ status: 429, retryAfter: "1" });
  expect(await ask("7.7.7.7")).toMatchObject({ status: 200 });
});

describe("the bodies of requests to edge functions", () => {
  it("that a client sends and never ends are 503 beyond its share, and those of others arrive", async () => {
    const port = await patient();
    const attack = Array.from({ length: 38 }, (_, i) =>
      send({ port, host: `victim${i % 2}.example`, address: "6.6.6.6", body: Buffer.alloc(MIB), stalls: true }),
    );
    for (const one of attack) one.catch(() => undefined);
    // Those that are held get no response.
    const refused = await Promise.any(attack);
    expect(refused).toMatchObject({ status: 503, retryAfter: "1" });
    for (const address of ["6.6.6.6", "7.7.7.7"])
      expect(await send({ port, host: "victim0.example", address, body: "12345" })).toMatchObject({ body: "5" });
    for (const host of ["victim0.example", "other.example"])
      expect(await send({ port, host, address: "7.7.7.7", body: Buffer.alloc(MIB) })).toMatchObject({ status: 200 });
  });

  it("for one function, from many clients, leave room to other functions", async () => {
    const port = await patient();
    const bodies = Array.from({ length: 20 }, (_, i) =>
      send({ port, host: "one.example", address: `8.8.8.${i}`, body: Buffer.alloc(MIB), stalls: true }),
    );
    for (const one of bodies) one.catch(() => undefined);
    expect(await Promise.any(bodies)).toMatchObject({ status: 503 });
    const other = { port, host: "two.example", address: "9.9.9.9", body: Buffer.alloc(MIB) };
    expect(await send(other)).toMatchObject({ status: 200, body: String(MIB) });
  });

  it("are 413 beyond 10 MiB only, and 408 if they arrive too slowly", async () => {
    const slow = await serve(new ByteBudget(64 * MIB, () => 100));
    expect(await send({ port: slow, host: SLOW, address: "1.1.1.1", body: "begun", stalls: true })).toMatchObject({
      status: 408,
    });
    const large = await serve(new ByteBudget(64 * MIB));
    const body = Buffer.alloc(10 * MIB + 1);
    expect(await send({ port: large, host: SLOW, address: "1.1.1.1", body })).toMatchObject({ status: 413 });
  });
});
