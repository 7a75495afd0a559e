import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { typeLine } from "../../../test/factories/typed-line";
import type { Io } from "../io";
import { relayShell } from "./relay-shell";

const KEY = `svc_test_${"a".repeat(48)}`;
const exit = (code: number | null, signal: string | null = null) => JSON.stringify({ type: "exit", code, signal });

/** What a test does with the next terminal that is opened. */
let serve: (socket: WebSocket) => void = () => {};
const asked: { url: string; key: string | undefined }[] = [];
const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => "terminal.svc.v1" });
const server = createServer();
server.on("upgrade", (request, socket, head) => {
  asked.push({ url: request.url ?? "", key: request.headers.authorization });
  const status = Number(/refused-(\d+)/.exec(request.url ?? "")?.[1] ?? 101);
  if (status === 101) return sockets.handleUpgrade(request, socket, head, (client) => serve(client));
  const [code, message] = status === 401 ? ["unauthorized", "The key is not valid."] : ["conflict", "It has ended."];
  const body = JSON.stringify({ error: { code, message, request_id: "req_1" } });
  socket.end(
    `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
});
await once(server.listen(0, "127.0.0.1"), "listening");
const svcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterEach(() => {
  for (const client of sockets.clients) client.terminate();
});
afterAll(() => server.close().closeAllConnections());

const shell = (argv: readonly string[], input: string | Uint8Array = "") =>
  typeLine(["pods", "shell", ...argv], { key: KEY, svc: svcUrl, input });

/** A program that ends when something has been typed and then Ctrl-D twice. */
function until(ended: (typed: string, socket: WebSocket) => void) {
  return (socket: WebSocket) => {
    let typed = "";
    const take = (bytes: Buffer) => {
      typed += bytes.toString("latin1");
      if (!typed.endsWith("\u0004\u0004")) return;
      socket.off("message", take);
      ended(typed, socket);
    };
    socket.on("message", take);
  };
}

describe("svc pods shell without a terminal", () => {
  it("types what is piped and then Ctrl-D, writes the output unchanged, and ends with the program's status", async () => {
    const output = Buffer.from([0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0x00]);
    let seen = "";
    serve = until((typed, socket) => {
      seen = typed;
      socket.send(output);
      socket.send(exit(7));
      socket.close(1000);
    });
    const { done, written, said } = shell(["pod_1", "--", "/bin/sh", "-c", "cat & wait"], "x".repeat(40_000));
    expect([await done, said.err]).toEqual([7, ""]);
    expect(written().equals(output)).toBe(true);
    // The first one passes on the line that is not finished.
    expect(seen).toBe(`${"x".repeat(40_000)}\u0004\u0004`);
    const url = "/v1/pods/pod_1/terminal?command=%2Fbin%2Fsh&command=-c&command=cat+%26+wait";
    expect(asked.at(-1)).toEqual({ url, key: `Bearer ${KEY}` });
  });

  it("types Ctrl-D again to a shell that has forgotten it, and ends with 128 and the number of a signal", async () => {
    serve = until((typed, socket) => {
      expect(typed).toBe("exit\n\u0004\u0004");
      socket.send(exit(null, "SIGKILL"));
      socket.close(1000);
    });
    expect(await shell(["pod_1"], "exit").done).toBe(137);
    expect(asked.at(-1)?.url).toBe("/v1/pods/pod_1/terminal");
  });

  it("fails with the message of a response that opens no terminal", async () => {
    for (const [status, exitStatus] of [
      [401, 3],
      [404, 1],
      [409, 1],
      [503, 4],
    ]) {
      const { done, said } = shell([`refused-${status}`]);
      expect(await done).toBe(exitStatus);
      expect(said.err).toMatch(status === 401 ? /^svc: The key is not valid\.\n/ : /^svc: It has ended\.\n/);
      expect(said.err).toContain(`(${status})`);
    }
    const nobody = typeLine(["pods", "shell", "pod_1"], { key: KEY, svc: "https://127.0.0.1:9" });
    expect([await nobody.done, nobody.said.err]).toEqual([4, expect.stringContaining("127.0.0.1:9: ")]);
  });

  it("fails when the connection ends before the program, and is ended by Ctrl-C", async () => {
    serve = (socket) => socket.close(1001);
    const restarted = shell(["pod_1"]);
    expect([await restarted.done, restarted.said.err]).toEqual([4, expect.stringContaining("svc is restarting")]);
    serve = (socket) => {
      socket.send(JSON.stringify({ type: "error", error: { code: "conflict", message: "Idle.", request_id: "r" } }));
      socket.close(1008);
    };
    const idle = shell(["pod_1"]);
    expect([await idle.done, idle.said.err.split("\n")[0]]).toEqual([4, "svc: Idle."]);
    const opened = new Promise<WebSocket>((resolve) => {
      serve = resolve;
    });
    const { done, stop } = shell(["pod_1"]);
    const closed = once(await opened, "close");
    stop.abort();
    expect(await done).toBe(130);
    await closed;
  });

  it("fails when svc sends nothing, not even pings", async () => {
    serve = () => {};
    const io = { stdout: { write: () => true }, input: () => new Blob([]).stream() } as unknown as Io;
    const socket = new WebSocket(svcUrl.replace("http", "ws"), "terminal.svc.v1");
    await once(socket, "open");
    const relay = { io, stop: new AbortController().signal, isShell: true, silenceMs: 50 };
    await expect(relayShell(socket, relay)).rejects.toThrow("the connection was lost");
  });
});

/** Runs a line of a shell in a terminal of 100 columns and 40 rows; each line of channel 3 is another size. */
const IN_TERMINAL = `
  require $ARGV[0];
  my ($terminal, $number) = Terminal::open_in($$, "100 40");
  defined(my $child = fork) or die;
  if (!$child) {
    POSIX::setsid();
    close $terminal;
    Terminal::attach($number, $<);
    exec "/bin/sh", "-c", $ARGV[1];
  }
  open(my $sizes, "<&=", 3) or die;
  Terminal::relay($terminal, $sizes);
  waitpid $child, 0;
`;
const TERMINAL = path.resolve(import.meta.dirname, "../../../server/engines/perl/terminal.pl");

describe.skipIf(process.platform !== "linux")("svc pods shell in a terminal", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "svc-shell-"));
  const program = path.join(folder, "svc.mjs");
  let running: ChildProcess | undefined;
  beforeAll(() =>
    build({
      entryPoints: [path.join(import.meta.dirname, "../svc.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "es2022",
      logLevel: "silent",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    }),
  );
  afterAll(() => {
    running?.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  it("passes on every key and size, and restores the terminal, also after SIGTERM", async () => {
    const svc = `sh -c 'echo "pid $$."; exec ${process.execPath} ${program} pods shell pod_1'; echo "status $?."; stty -a`;
    const child = spawn("perl", ["-e", IN_TERMINAL, TERMINAL, `${svc}; ${svc}`], {
      stdio: ["pipe", "pipe", "inherit", "pipe"],
      env: { ...process.env, SVC_API_KEY: KEY, SVC_BASE_URL: svcUrl },
    });
    running = child;
    let shown = "";
    child.stdout?.on("data", (bytes: Buffer) => (shown += bytes.toString("latin1")));
    const received: string[] = [];
    const open: WebSocket[] = [];
    serve = (socket) => {
      open.push(socket);
      socket.on("message", (bytes: Buffer) => received.push(bytes.toString("latin1")));
    };
    await expect.poll(() => received, { interval: 5 }).toEqual(['{"type":"resize","columns":100,"rows":40}']);
    expect(asked.at(-1)?.url).toContain("columns=100&rows=40");
    child.stdin?.write("\u0003");
    await expect.poll(() => received.at(-1), { interval: 5 }).toBe("\u0003");
    (child.stdio[3] as NodeJS.WritableStream).write("132 50\n");
    await expect.poll(() => received.at(-1), { interval: 5 }).toBe('{"type":"resize","columns":132,"rows":50}');
    open[0]?.send(Buffer.from("\u001b[?1049h"));
    await expect.poll(() => shown, { interval: 5 }).toContain("\u001b[?1049h");
    process.kill(Number(/pid (\d+)\./.exec(shown)?.[1]), "SIGTERM");
    await expect.poll(() => open.length, { interval: 5 }).toBe(2);
    open[1]?.send(exit(7));
    open[1]?.close(1000);
    await once(child, "close");
    expect(shown.match(/status \d+\./g)).toEqual(["status 130.", "status 7."]);
    expect(shown.match(/ icanon /g)).toHaveLength(2);
    expect(shown.match(/ echo /g)).toHaveLength(2);
    // What the pod's program had switched on is switched off where it could not do so itself.
    expect(shown.split("\u001b[?1047l")).toHaveLength(2);
  });
});
