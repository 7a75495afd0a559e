import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileFolder } from "../../test/factories/file-folder";
import { objectServer } from "../../test/factories/object-server";
import { testProgram } from "../../test/factories/test-program";

const KEY = `svc_test_${"a".repeat(48)}`;
const MIB = 1024 * 1024;
const folder = fileFolder("svc-processes-");
const program = await testProgram(path.join(import.meta.dirname, "svc.ts"), { packages: "bundle", target: "es2022" });
const at = (name: string): string => path.join(folder, name);
let running: ChildProcess | undefined;
let server: Awaited<ReturnType<typeof objectServer>>;

beforeEach(async () => {
  server = await objectServer();
});
afterEach(() => {
  running?.kill("SIGKILL");
  server.close();
});

/** The program `svc` as a process, whose standard input stays open. */
function svc(args: readonly string[], url = server.url) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, SVC_API_KEY: KEY, SVC_BASE_URL: url },
  });
  running = child;
  const said = { out: "", err: "" };
  const bytes: Buffer[] = [];
  child.stdout.on("data", (chunk) => {
    bytes.push(chunk);
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => (said.err += chunk));
  const exited = new Promise((resolve) => child.on("close", (status, signal) => resolve(signal ?? status)));
  return { child, said, exited, written: () => Buffer.concat(bytes) };
}

describe("svc storage as a process", () => {
  it("waits for standard input that comes later, and ends although it stays open otherwise", async () => {
    const { child, exited } = svc(["storage", "cp", "-", "svc://box/piped", "--quiet"]);
    const content = randomBytes(16 * MIB);
    child.stdin.write(content);
    // From then on, only the input keeps the process running.
    await expect.poll(() => [...server.state.uploads.values()][0]?.parts.size).toBe(1);
    child.stdin.end("the end");
    expect([
      await exited,
      server.state.objects
        .get("piped")
        ?.body.subarray(16 * MIB)
        .toString(),
    ]).toEqual([0, "the end"]);
    writeFileSync(at("file"), "content");
    const other = svc(["storage", "cp", at("file"), "svc://box/file"]);
    expect([await other.exited, other.said.err]).toEqual([0, ""]);
  });

  it("writes every byte of an object to a pipe", async () => {
    const content = randomBytes(5 * MIB);
    server.store("big", content);
    const { exited, written, said } = svc(["storage", "cp", "svc://box/big", "-"]);
    expect([await exited, written().equals(content)]).toEqual([0, true]);
    expect(said.err).toBe(`download svc://box/big -> -  5.2 MB\n`);
  });

  it("on Ctrl-C says how to continue, and leaves what can be continued", async () => {
    const content = randomBytes(17 * MIB);
    writeFileSync(at("big"), content);
    let parts = 0;
    server.state.intercept = (line) => /partNumber/.test(line) && ++parts === 2;
    const { child, exited, said } = svc(["storage", "cp", at("big"), "svc://box/big", "--parallel", "1"]);
    await expect.poll(() => parts).toBe(2);
    child.kill("SIGINT");
    expect([await exited, said.err]).toEqual([130, expect.stringContaining("Run the same command again to continue")]);
    server.state.intercept = undefined;
    const again = svc(["storage", "cp", at("big"), "svc://box/big"]);
    expect([await again.exited, server.state.objects.get("big")?.body.equals(content)]).toEqual([0, true]);
    expect(server.state.requests.filter((line) => /^PUT .*partNumber/.test(line))).toHaveLength(3);
  });

  it("after kill -9 in a download, continues it", async () => {
    const content = randomBytes(3 * MIB);
    const { etag } = server.store("big", content);
    server.state.intercept = (line, { response }) => {
      if (!line.startsWith("GET")) return false;
      response.writeHead(200, { etag: `"${etag}"`, "content-length": String(content.length) });
      response.write(content.subarray(0, 2 * MIB));
      return true;
    };
    const { child, exited } = svc(["storage", "cp", "svc://box/big", at("killed")]);
    const stored = (): number => statSync(at("killed.part"), { throwIfNoEntry: false })?.size ?? 0;
    await expect.poll(stored).toBe(2 * MIB);
    child.kill("SIGKILL");
    await exited;
    let range: string | undefined;
    server.state.intercept = (line, { request }) => {
      if (line.startsWith("GET")) ({ range } = request.headers);
      return false;
    };
    expect(await svc(["storage", "cp", "svc://box/big", at("killed")]).exited).toBe(0);
    expect([range, readFileSync(at("killed")).equals(content)]).toEqual([`bytes=${2 * MIB}-`, true]);
  });
});

it("svc chat as a process ends on Ctrl-C with what it has printed", async () => {
  const chat = createServer((_, response) => {
    const chunk = { id: "c", model: "m", choices: [{ index: 0, delta: { content: "begun" }, finish_reason: null }] };
    response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(chunk)}\n\n`);
  });
  await new Promise<void>((resolve) => chat.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
    const { child, exited, said } = svc(["chat", "hi", "--model", "m"], url);
    await expect.poll(() => said.out).toBe("begun");
    child.kill("SIGINT");
    expect([await exited, said]).toEqual([130, { out: "begun\n", err: "(stopped)\n" }]);
  } finally {
    chat.close().closeAllConnections();
  }
});
