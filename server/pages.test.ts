import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { listenerOf } from "./pages";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(handle: (...args: Parameters<RequestListener>) => Promise<void>) {
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => void logged.push(line) });
  const server = createServer(listenerOf(handle, log));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, logged };
}

it("answers a failed page with an internal error that names its request and nothing of the cause", async () => {
  const { url, logged } = await serve(async (_incoming, outgoing) => {
    outgoing.setHeader("x-request-id", "mine.1");
    throw new Error("a secret detail");
  });
  const answer = await fetch(url);
  expect(answer.status).toBe(500);
  expect(answer.headers.get("x-request-id")).toBe("mine.1");
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ error: { code: "internal", request_id: "mine.1" } });
  expect(text).not.toContain("secret detail");
  expect(logged.join()).toContain("a secret detail");
});

it("cuts an answer off that fails when half of it was sent", async () => {
  const { url, logged } = await serve(async (_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-length": "100" });
    await new Promise((resolve) => outgoing.write("half", resolve));
    throw new Error("in the middle");
  });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  expect(logged.join()).toContain("in the middle");
});
