import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { TerminalClient } from "../../../test/factories/terminal-client";
import { waitFor } from "../../../test/factories/wait-for";
import type { TerminalSession } from "../../cloud/compute/pods/terminal-session";
import { ServiceError } from "../../kernel/errors";
import { type RelayTerminal, relayTerminal } from "./relay-terminal";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A client of a terminal in which no program runs. */
async function start(given: Partial<RelayTerminal> = {}) {
  const calls: string[] = [];
  const stop = new AbortController();
  const input = new PassThrough();
  const session: TerminalSession = {
    run: 1,
    input,
    output: new PassThrough(),
    exited: new Promise(() => {}),
    resize: ({ columns, rows }) => void calls.push(`${columns}x${rows}`),
    close: () => void calls.push("closed"),
  };
  const authorizeAgain = async () => {};
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 1024 });
  server.on("connection", (socket) =>
    relayTerminal(socket, { session, requestId: "req_1", stopping: stop.signal, authorizeAgain, ...given }),
  );
  closing.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, "listening");
  const client = await TerminalClient.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
  return { client, calls, input, stop, session };
}

it("closes a terminal that is not used, with the reason", async () => {
  const { client, calls } = await start({ idleMs: 200 });
  expect(await client.closed).toBe(1008);
  expect(client.messages).toMatchObject([{ type: "error", error: { code: "conflict", request_id: "req_1" } }]);
  await waitFor(() => expect(calls).toEqual(["closed"]), { interval: 5 });
});

it("disconnects a client that does not answer pings, and keeps one that does", async () => {
  const [alive, dead] = [await start({ pingMs: 100 }), await start({ pingMs: 100 })];
  dead.client.socket.pong = () => {};
  expect(await waitFor(() => dead.calls.at(-1) ?? expect.fail("it is still connected"))).toBe("closed");
  expect(alive.calls).toEqual([]);
});

it("closes the terminal of a caller that may not use it any longer", async () => {
  const authorizeAgain = () => Promise.reject(new ServiceError("unauthorized", "The key was revoked."));
  const { client, calls } = await start({ pingMs: 50, authorizeAgain });
  expect(await client.closed).toBe(1008);
  expect(client.messages.at(0)).toMatchObject({ type: "error", error: { code: "unauthorized" } });
  await waitFor(() => expect(calls).toEqual(["closed"]), { interval: 5 });
});

it("is closed with 1001 when svc stops", async () => {
  const { client, calls, stop } = await start();
  stop.abort();
  expect(await client.closed).toBe(1001);
  await waitFor(() => expect(calls).toEqual(["closed"]), { interval: 5 });
});

it("applies the newest size, and closes for what is no message, no UTF-8 or too long", async () => {
  const { client, calls } = await start();
  for (let columns = 1; columns <= 50; columns++) client.resize(columns, 10);
  await waitFor(() => expect(calls.at(-1)).toBe("50x10"));
  expect(calls.length).toBeLessThan(50);
  client.resize(0, 10);
  expect(await client.closed).toBe(1008);
  expect(client.messages).toMatchObject([{ type: "error", error: { code: "invalid_request" } }]);
  const latin1 = await start();
  latin1.client.socket.send(Buffer.from('{"type":"\xe9"}', "latin1"), { binary: false });
  expect(await latin1.client.closed).toBe(1007);
  const long = await start();
  long.client.type("x".repeat(1025));
  expect(await long.client.closed).toBe(1009);
  await waitFor(() => expect(long.calls).toEqual(["closed"]), { interval: 5 });
});

it("reads no more from a client while the program does not read its input", async () => {
  const { client, input } = await start();
  const typed = "x".repeat(1024);
  // More than the buffers of the kernel take.
  for (let i = 0; i < 20_000; i++) client.type(typed);
  await waitFor(() => expect(input.writableNeedDrain).toBe(true));
  const held = input.writableLength + input.readableLength;
  expect(held).toBeLessThan(1024 * 1024);
  let bytes = 0;
  input.on("data", (part: Buffer) => {
    bytes += part.length;
  });
  await waitFor(() => expect(bytes).toBe(20_000 * 1024));
});

it("sends all output before it says how the program ended", async () => {
  const exit = { exitCode: 3, signal: null };
  const output = Readable.from(Array.from({ length: 100 }, (_, i) => Buffer.from(`line ${i}\n`)));
  const session = { ...(await start()).session, output, exited: Promise.resolve(exit) };
  const { client } = await start({ session });
  expect(await client.closed).toBe(1000);
  expect(client.shown).toMatch(/line 99\n$/);
  expect(client.messages).toEqual([{ type: "exit", code: 3, signal: null }]);
});
