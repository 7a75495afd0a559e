import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../config";
import { createHttpServer } from "./create-server";

const PUBLIC_URL = "https://svc.example";

const reached: string[] = [];

const log = { error: () => undefined, info: () => undefined };
const own = { s3Host: "s3.example", edgeDomain: "edge.svc.example" };
const allowedHosts = ["backend.internal", "10.0.0.5:8080"];
const made = createHttpServer({ tls: undefined, publicUrl: PUBLIC_URL, allowedHosts, ...own, log });
const direct = ["/api/trpc/", "/v1/", "/healthz", "/readyz", "/metrics"].map((path) => ({
  path,
  answer: ({ url }: Request) => {
    reached.push(new URL(url).pathname);
    return new Response("direct");
  },
}));
made.serve({
  direct,
  pages: ({ url = "" }, outgoing) => {
    reached.push(url);
    outgoing.end("a page");
  },
  clientAddress: () => "203.0.113.9",
});
const server = made.server.listen(0, "127.0.0.1");
await once(server, "listening");
const port = (server.address() as AddressInfo).port;
afterAll(() => void server.close().closeAllConnections());

/** The response to a raw request, and what it reached after the check. */
async function send(target: string, headers: string[], version = "1.1") {
  reached.length = 0;
  const lines = [`GET ${target} HTTP/${version}`, ...headers, "Connection: close", "", ""];
  const socket = connect(port, "127.0.0.1", () => socket.write(lines.join("\r\n").replaceAll("PORT", `${port}`)));
  let text = "";
  for await (const piece of socket.setEncoding("utf8")) text += piece;
  return { status: Number(text.split(" ")[1]), text, reached: [...reached] };
}

const SERVED: [name: string, ...headers: string[]][] = [
  ["the host of PUBLIC_URL", "Host: svc.example"],
  ["its default port", "Host: svc.example:443"],
  ["upper case", "HOST: SVC.Example"],
  ["localhost with the port of svc", "Host: localhost:PORT"],
  ["127.0.0.1 with the port of svc", "Host: 127.0.0.1:PORT"],
  ["[::1] with the port of svc", "Host: [::1]:PORT"],
  ["an allowed host without a port", "Host: backend.internal"],
  ["an allowed host with any port", "Host: backend.internal:3000"],
  ["an allowed host with its port", "Host: 10.0.0.5:8080"],
  ["the S3 host with any port", "Host: s3.example:9000"],
  ["the host of a bucket", "Host: my.bucket.s3.example"],
  ["the host of an edge function", "Host: hello-k3v7qz2m4a.edge.svc.example"],
  ["a foreign X-Forwarded-Host next to a good Host", "Host: svc.example", "X-Forwarded-Host: evil.test"],
];

const REFUSED: [name: string, ...headers: string[]][] = [
  ["a foreign name", "Host: evil.test"],
  ["a foreign name with the port of svc", "Host: evil.test:PORT"],
  ["a foreign name with a good X-Forwarded-Host", "Host: evil.test", "X-Forwarded-Host: svc.example"],
  ["a foreign name with a good Forwarded", "Host: evil.test", "Forwarded: host=svc.example"],
  ["the name of a tunnel", "Host: quiet-otter.tunnel.test"],
  ["no Host"],
  ["an empty Host", "Host:"],
  ["two Hosts", "Host: svc.example", "Host: svc.example"],
  ["a good and a foreign Host", "Host: svc.example", "Host: evil.test"],
  ["a foreign and a good Host in different case", "hOsT: evil.test", "Host: svc.example"],
  ["a list", "Host: svc.example, evil.test"],
  ["a trailing dot", "Host: svc.example."],
  ["localhost with a trailing dot", "Host: localhost.:PORT"],
  ["a subdomain", "Host: a.svc.example"],
  ["a name that ends alike", "Host: evilsvc.example"],
  ["a name that ends like the S3 host", "Host: evils3.example"],
  ["a name that begins alike", "Host: svc.example.evil.test"],
  ["another port of PUBLIC_URL", "Host: svc.example:8443"],
  ["an empty port", "Host: svc.example:"],
  ["a port with a zero in front", "Host: svc.example:0443"],
  ["another port of localhost", "Host: localhost:1"],
  ["localhost without a port", "Host: localhost"],
  ["another port of an allowed host", "Host: 10.0.0.5:8081"],
  ["userinfo", "Host: svc.example@evil.test"],
  ["userinfo before the right name", "Host: user@svc.example"],
  ["a path", "Host: svc.example/x"],
  ["a scheme", "Host: https://svc.example"],
  ["a fragment", "Host: svc.example#evil.test"],
  ["an address", "Host: 203.0.113.9:PORT"],
  ["another address of loopback", "Host: 127.0.0.2:PORT"],
  ["a short form of 127.0.0.1", "Host: 127.1:PORT"],
  ["127.0.0.1 as a number", "Host: 2130706433:PORT"],
  ["0.0.0.0", "Host: 0.0.0.0:PORT"],
  ["an IPv4 address in IPv6 notation", "Host: [::ffff:127.0.0.1]:PORT"],
  ["a long form of ::1", "Host: [0:0:0:0:0:0:0:1]:PORT"],
  ["a name with a percent sign", "Host: svc%2eexample"],
  ["bytes beyond ASCII", "Host: s\u00advc.example"],
];

describe.each(["/log-in", "/api/trpc/listOutbox", "/v1/tenant"])("%s", (target) => {
  it.each(SERVED)("is served for %s", async (_name, ...headers) => {
    expect(await send(target, headers)).toMatchObject({ status: 200, reached: [target] });
  });

  it.each(REFUSED)("is rejected for %s, before anything else receives it", async (_name, ...headers) => {
    const { status, text, reached: seen } = await send(target, headers);
    expect([status, seen]).toEqual([400, []]);
    expect(text).toMatch(/"code":"invalid_request".*"param":"host".*"reason":"host"/);
    expect(text).toMatch(/^connection: close\r$/im);
  });
});

describe("a target in absolute form", () => {
  it.each([
    ["http://evil.test/log-in", "svc.example"],
    ["http://svc.example/log-in", "evil.test"],
    ["http://user@svc.example/log-in", "svc.example"],
    ["http://svc.example.evil.test/log-in", "svc.example"],
    ["HTTP://EVIL.test/log-in", "svc.example"],
  ])("%s with Host %s is rejected", async (target, host) => {
    expect(await send(target, [`Host: ${host}`])).toMatchObject({ status: 400, reached: [] });
  });

  it("is served for the host of PUBLIC_URL", async () => {
    expect((await send("http://svc.example/log-in", ["Host: svc.example"])).status).toBe(200);
  });
});

it("rejects HTTP/1.0 without Host, and serves it with the right one", async () => {
  expect(await send("/log-in", [], "1.0")).toMatchObject({ status: 400, reached: [] });
  expect((await send("/log-in", ["Host: svc.example"], "1.0")).status).toBe(200);
});

describe("probes", () => {
  it.each(["/healthz", "/readyz", "/metrics"])("%s is served by any address, and by no foreign name", async (path) => {
    for (const host of ["10.1.2.3", "10.1.2.3:3000", "[fd00::7]:3000", "[::1]"]) {
      expect([host, (await send(path, [`Host: ${host}`])).status]).toEqual([host, 200]);
    }
    for (const host of ["evil.test", "10.1.2.3.evil.test", "10.1.2", "[fd00::x]", "localhost:1", ""]) {
      expect([host, (await send(path, [`Host: ${host}`])).status]).toEqual([host, 400]);
    }
    expect((await send(path, [])).status).toBe(400);
  });

  it("are the only paths that are served by IP address", async () => {
    for (const path of ["/", "/healthz/", "/healthz/x", "//healthz", "/outbox", "/v1/tenant?/healthz"]) {
      expect([path, (await send(path, ["Host: 10.1.2.3"])).status]).toEqual([path, 400]);
    }
  });
});

it("is checked before svc has started", async () => {
  const { server: starting } = createHttpServer({
    tls: undefined,
    publicUrl: PUBLIC_URL,
    allowedHosts: [],
    log: { error: () => undefined, info: () => undefined },
  });
  starting.listen(0, "127.0.0.1");
  await once(starting, "listening");
  const { port: at } = starting.address() as AddressInfo;
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${at}/`, { headers })).status;
  expect(await statusOf({})).toBe(503);
  const socket = connect(at, "127.0.0.1", () => socket.end("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n"));
  let text = "";
  for await (const piece of socket.setEncoding("utf8")) text += piece;
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  starting.close().closeAllConnections();
});

describe("SVC_ALLOWED_HOSTS", () => {
  it("is a list of hosts with or without a port, in any case", () => {
    const { allowedHosts } = readConfig({
      NODE_ENV: "test",
      SVC_ALLOWED_HOSTS: " Backend.Internal, 10.0.0.5:8080 ,[fd00::7]:3000,",
    });
    expect(allowedHosts).toEqual(["backend.internal", "10.0.0.5:8080", "[fd00::7]:3000"]);
  });

  it.each(["https://svc.example", "*", "svc.example/x", "user@svc.example", "svc.example:port", "a b"])(
    "is rejected with %j",
    (text) =>
      expect(() => readConfig({ NODE_ENV: "test", SVC_ALLOWED_HOSTS: text })).toThrow(
        /SVC_ALLOWED_HOSTS: expected host names/,
      ),
  );
});
