import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, expect, it } from "vitest";
import { MemoryCounters } from "../../engines/counters/memory-counters";
import { systemClock } from "../../kernel/clock";
import type { Actor } from "../../operation/actor";
import { createS3Surface, type S3SurfaceParts } from "./create-s3-surface";
import { OpenRequests } from "./open-requests";

/** Of requests with credentials 12, so that a tenant alone has 4. */
const OPEN_MAX = 16;
let waiting = 0;
const sockets: Socket[] = [];
const actorOf = (tenantId: string) =>
  ({ kind: "key", keyId: tenantId, tenantId, projectId: "prj", mode: "live", scopes: new Set() }) as unknown as Actor;

const surface = createS3Surface({
  cloud: {
    clock: systemClock,
    bucketsByName: {
      // As a download that its client does not read.
      find: (name: string) => {
        if (name !== "slow") return Promise.resolve(undefined);
        waiting++;
        return new Promise(() => undefined);
      },
    },
  },
  authenticateBearer: async (token: string) => actorOf(token),
  limits: {
    counters: new MemoryCounters(systemClock),
    hashAddress: (address: string) => address,
    isExempt: () => false,
  },
  pipeline: {},
  s3Host: undefined,
  open: new OpenRequests(OPEN_MAX),
  log: { error: () => undefined, debug: () => undefined },
} as unknown as S3SurfaceParts);
const server = createServer((incoming, outgoing) => {
  void surface.serve(incoming, outgoing, { address: String(incoming.headers["x-address"] ?? "203.0.113.1") });
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close().closeAllConnections();
});

const portOf = () => (server.address() as AddressInfo).port;
const statusOf = async (tenantId: string) => {
  const headers = { authorization: `Bearer ${tenantId}` };
  return (await fetch(`http://127.0.0.1:${portOf()}/v1/s3/none/key`, { headers })).status;
};
/** A request whose response never comes. */
async function openSlow(header: string): Promise<void> {
  const before = waiting;
  const socket = connect(portOf(), "127.0.0.1");
  sockets.push(socket);
  socket.write(`GET /v1/s3/slow/key HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
  await expect.poll(() => waiting).toBe(before + 1);
}

it("A's open requests, and those without credentials, leave some to B", async () => {
  for (let i = 0; i < 4; i++) await openSlow("Authorization: Bearer ten_a");
  expect(await statusOf("ten_a")).toBe(503);
  expect(await statusOf("ten_b")).toBe(404);
  for (let i = 0; i < 4; i++) await openSlow(`X-Address: 203.0.113.${i}`);
  expect((await fetch(`http://127.0.0.1:${portOf()}/v1/s3/none/key`)).status).toBe(503);
  expect(await statusOf("ten_b")).toBe(404);
});

it("a request counts no longer than it is open", async () => {
  for (let i = 0; i < 50; i++) expect(await statusOf("ten_c")).toBe(404);
});
