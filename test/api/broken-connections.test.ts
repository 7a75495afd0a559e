import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterAll, beforeEach, expect, it } from "vitest";
import { unavailableOnConnectionError } from "../../server/engines/postgres/connection-error";
import { requestMetaOf } from "../../server/operation/request-meta";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import { eventually, makeShop, testApp } from "../factories/app";
import { platformKey } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

interface Line {
  level: number;
  code?: string;
  msg: string;
  path?: string;
}

const ERROR = 50;
const LEFT = "The client closed the connection before the end of the body.";
const JSON_TYPE = "Content-Type: application/json";
const lines: Line[] = [];
const log = pino({ level: "debug" }, { write: (text: string) => void lines.push(JSON.parse(text) as Line) });

const test = await openForFile(testApp({ log }));
const shop = await makeShop(test);
const [key, serverKey, campaignId] = [await platformKey(shop.ctx), shop.serverKey, shop.campaign.id];
const { app } = test;
const created = createHttpServer({
  tls: undefined,
  publicUrl: "http://localhost:3000",
  allowedHosts: ["127.0.0.1"],
  log,
});
const server = created.server.listen(0, "127.0.0.1");
await once(server, "listening");
created.serve({
  direct: [
    { path: "/api/v1/", answer: app.offers.fetch },
    { path: "/v1/", answer: app.platform.fetch },
    {
      path: "/api/trpc/",
      answer: (request, peer) => app.trpc.handle(request, { ...requestMetaOf(request, peer), isForwarded: false }),
    },
  ],
  pages: (_, outgoing) => void outgoing.end(),
  clientAddress: () => "127.0.0.1",
});
afterAll(() => server.close().closeAllConnections());
beforeEach(() => {
  lines.length = 0;
});

/** Sends a part of a request's body, then resets the connection; resolves when the server is done with it. */
async function leave(head: string, part: string): Promise<void> {
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [peer] = await accepted;
  const closed = new Promise((resolve) => peer.on("error", () => undefined).once("close", resolve));
  const received = once(server, "request");
  socket.write(`${head}\r\nHost: localhost:3000\r\nContent-Length: 5000\r\n\r\n${part}`);
  await received;
  // The body is being read by then.
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.resetAndDestroy();
  await closed;
}

const CASES: [string, () => string, string | undefined][] = [
  ["the platform API", () => `POST /v1/ads/channels HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${JSON_TYPE}`, LEFT],
  ["the offers API", () => `POST /api/v1/offers HTTP/1.1\r\nX-SVC-API-Key: ${serverKey}\r\n${JSON_TYPE}`, LEFT],
  [
    "an upload",
    () =>
      `POST /v1/ads/campaigns/${campaignId}/products HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/x-ndjson`,
    "The request body ended before it was complete, or the client disconnected. Products stored before the error: 0.",
  ],
  [
    "the dashboard's API",
    () => `POST /api/trpc/openBrowserSession HTTP/1.1\r\nOrigin: http://localhost:3000\r\n${JSON_TYPE}`,
    undefined,
  ],
];

it.each(CASES)(
  "a client of %s that leaves in the middle of its body is logged as that, and as no failure",
  async (_, head, told) => {
    await leave(head(), '{"name":');
    if (told) await eventually(() => lines.some(({ msg }) => msg === told));
    else await new Promise((resolve) => setTimeout(resolve, 200));
    expect(lines.filter(({ level, code }) => level >= ERROR || code === "unavailable")).toEqual([]);
  },
);

it("a database that cannot be reached is one still, and a failure that has a code keeps it", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(unavailableOnConnectionError(refused)).toMatchObject({ code: "unavailable" });
  const aborted = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  expect(unavailableOnConnectionError(aborted)).toBe(aborted);
});
