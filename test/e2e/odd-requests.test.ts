import { connect } from "node:net";
import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { startServerProcess } from "../factories/server-process";

const GIVE_UP_MS = 30_000;
const server = await openForFile(startServerProcess({ env: { LOG_LEVEL: "info" } }));

/** The status of the answer to raw bytes; 0 for a connection that ends without one. */
function statusOf(bytes: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    let answer = "";
    socket.setTimeout(GIVE_UP_MS, () => {
      socket.destroy();
      reject(new Error(`no answer and no end: ${bytes.slice(0, 60)}`));
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  });
}

const host = () => `Host: localhost:${server.port}\r\n`;
const request = (line: string, headers = "") => `${line} HTTP/1.1\r\n${host()}Connection: close\r\n${headers}\r\n`;
const withBody = (line: string, headers: string, body: string) =>
  `${request(line, `${headers}Content-Length: ${body.length}\r\n`)}${body}`;
const FORM = "Content-Type: multipart/form-data; boundary=x\r\n";

const REQUESTS: [string, () => string][] = [
  ["TRACE of a page", () => request("TRACE /")],
  ["CONNECT", () => request("CONNECT evil.test:80")],
  ["OPTIONS *", () => request("OPTIONS *")],
  ["a method of WebDAV", () => request("PROPFIND /log-in")],
  ["broken percent-encoding", () => request("GET /offers/campaigns/%E0%A4%A")],
  ["broken percent-encoding of an API", () => request("GET /v1/ads/campaigns/%E0%A4%A")],
  ["broken percent-encoding of the dashboard's API", () => request("GET /api/trpc/%E0%A4%A")],
  ["NUL in the path of a page", () => request("GET /offers/campaigns/%00")],
  ["NUL in a click", () => request("GET /api/v1/clicks/%00")],
  ["an absolute target", () => request("GET http://evil.test/log-in")],
  ["a target without a slash", () => request("GET log-in")],
  ["a path of 15,000 characters", () => request(`GET /offers/campaigns/${"x".repeat(15_000)}`)],
  ["broken percent-encoding below an address that moved", () => request("GET /campaigns/%E0%A4%A")],
  ["NUL below an address that moved", () => request("GET /campaigns/%00")],
  ["a path of 15,000 characters below an address that moved", () => request(`GET /campaigns/${"x".repeat(15_000)}`)],
  ["a path of 20,000 characters", () => request(`GET /${"x".repeat(20_000)}`)],
  ["a query that decodes to nothing", () => request("GET /offers/reports?from=%E0%A4%A&x=%00")],
  ["a query name given twice", () => request("GET /log-in?next=a&next=b")],
  ["tokens given twice", () => request("GET /reset-password?token=a&token=b")],
  ["a server action", () => withBody("POST /log-in", "Next-Action: abc\r\n", "[]")],
  ["a form", () => withBody("POST /log-in", FORM, "--x--")],
  ["a form that breaks off", () => request("POST /log-in", `${FORM}Content-Length: 0\r\n`)],
  ["a router state that is none", () => request("GET /log-in", "RSC: 1\r\nNext-Router-State-Tree: %7Bx\r\n")],
  ["broken cookies", () => request("GET /log-in", "Cookie: a=%E0%A4%A; __prerender_bypass=x\r\n")],
  ["a file outside", () => request("GET /_next/static/../../../package.json")],
];

it.each(REQUESTS)("%s is answered without a failure of the server", async (_, bytes) => {
  expect(await statusOf(bytes())).toBeLessThan(500);
});

it("no stack of them is in the log", () => {
  expect(server.said()).not.toMatch(/^\s+at /m);
  expect(server.said()).not.toMatch(/"stack"/);
});

it("asking to upgrade is answered as an ordinary request, and does not keep the server from stopping", async () => {
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  // Next listens from its first page on.
  expect(await statusOf(request("GET /log-in"))).toBe(200);
  const socket = connect(server.port, "127.0.0.1", () =>
    socket.write(`GET /log-in HTTP/1.1\r\n${host()}${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`),
  );
  const [first] = await new Promise<Buffer[]>((resolve, reject) => {
    socket.once("data", (chunk) => resolve([chunk]));
    socket.once("close", () => reject(new Error("the connection ended without an answer")));
  });
  expect(first?.toString()).toMatch(/^HTTP\/1\.1 200 /);
  expect(await server.stop()).toBe(0);
});
