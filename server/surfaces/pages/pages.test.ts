import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { ServiceError } from "../../kernel/errors";
import { listenerOf, pageNames, withSessions } from "./pages";

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

it("has the first names of all pages, of their old addresses and of files", () => {
  const names = pageNames({
    staticRoutes: [{ page: "/" }, { page: "/docs" }, { page: "/docs/storage" }, { page: "/icon.svg" }],
    dynamicRoutes: [{ page: "/cloud/storage/[id]" }],
    redirects: [{ source: "/campaigns/:path*" }],
  });
  expect([...names]).toEqual(["", "docs", "icon.svg", "cloud", "campaigns"]);
});

it("responds to a failed page with an internal error that has the request id but not the cause", async () => {
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

it("aborts a response that fails when half of it was sent", async () => {
  const { url, logged } = await serve(async (_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-length": "100" });
    await new Promise((resolve) => outgoing.write("half", resolve));
    throw new Error("in the middle");
  });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  expect(logged.join()).toContain("in the middle");
});

it("responds with 503 in the requested format while sessions cannot be read, and renders pages that need none", async () => {
  const away = () => Promise.reject(new ServiceError("unavailable", "It is unavailable.", { retryAfterSeconds: 3 }));
  const pages = withSessions((_incoming, outgoing) => outgoing.end("a page"), away);
  const { url } = await serve(async (incoming, outgoing) => pages(incoming, outgoing));
  const ask = async (path: string, headers: Record<string, string>) => {
    const { status, headers: sent } = await fetch(`${url}${path}`, { headers });
    return [status, sent.get("retry-after"), sent.get("content-type")?.split(";")[0]];
  };
  expect(await ask("/", { cookie: "a=b", accept: "text/html" })).toEqual([503, "3", "text/html"]);
  expect(await ask("/", { cookie: "a=b", accept: "*/*" })).toEqual([503, "3", "application/json"]);
  expect(await ask("/", { accept: "text/html" })).toEqual([200, null, undefined]);
  expect(await ask("/_next/static/x.js", { cookie: "a=b" })).toEqual([200, null, undefined]);
});
