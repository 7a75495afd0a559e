import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitFor } from "../../../../test/factories/wait-for";
import { LoopProcess } from "./loop-process";
import { programCommand } from "./program-command";

const LIMITS = { timeoutMs: 10_000, bytesMax: 100_000 };
const open: LoopProcess[] = [];
const newFolder = (name: string) => mkdtempSync(path.join(os.tmpdir(), `svc-${name}-`));
const hasPython = spawnSync("python3", ["--version"]).status === 0;
/** The temporary folder of the node, and the folder of the workload. */
let [temporary, workload] = ["", ""];
beforeEach(() => {
  [temporary, workload] = [newFolder("temporary"), newFolder("workload")];
});
afterEach(() => {
  for (const loop of open.splice(0)) loop.kill();
  for (const folder of [temporary, workload]) rmSync(folder, { recursive: true });
});

/** A process of this node with what runs functions, and its answer to the code. */
async function loaded(code: string, entry = "default", language: "node" | "python" = "node") {
  const command = await programCommand(process.cwd(), language);
  const [program = "", ...args] = command.map((part) => (part === "node" ? process.execPath : part));
  const child = spawn(program, args, {
    stdio: "pipe",
    detached: true,
    env: { ...process.env, TMPDIR: temporary, SVC_WORKLOAD: workload },
  });
  const stdin = new PassThrough();
  stdin.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  const exited = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  const { stdout, stderr } = child;
  const end = () => {
    for (const output of [stdout, stderr]) output.destroy();
    kill("SIGKILL");
  };
  const loop = new LoopProcess({ stdout, stderr, exited, kill, end, resize: () => undefined }, stdin);
  open.push(loop);
  const answer = JSON.parse(await loop.call({ line: JSON.stringify({ code, entry }), ...LIMITS })) as object;
  const call = async (payload: unknown, limits: Partial<typeof LIMITS> = {}) =>
    JSON.parse(await loop.call({ line: JSON.stringify({ payload, context: { version: 1 } }), ...LIMITS, ...limits }));
  return { loop, answer, call };
}

describe("a process of a function in Node.js", () => {
  it("is kept from call to call, and what code and its children print is no answer", async () => {
    const { answer, call } = await loaded(
      `
      import { execFileSync } from "node:child_process";
      let calls = 0;
      export async function run(payload, { version }) {
        console.log("called", { payload });
        process.stdout.write("plain\\n");
        execFileSync("/bin/sh", ["-c", "echo child; echo child >&2"], { stdio: "inherit" });
        if (payload === "throw") throw new RangeError("too far");
        return { calls: ++calls, version };
      }`,
      "run",
    );
    expect(answer).toEqual({ loaded: true });
    const first = await call(1);
    expect(JSON.parse(first.result)).toEqual({ calls: 1, version: 1 });
    expect(first.logs.map(({ level, text }: { level: string; text: string }) => [level, text])).toEqual([
      ["info", "called { payload: 1 }"],
      ["info", "plain"],
    ]);
    expect((await call("throw")).error.message).toBe("RangeError: too far");
    expect(JSON.parse((await call(2)).result).calls).toBe(2);
  });

  it("says why code does not load, and is killed at the deadline, for too much output and when it ends itself", async () => {
    expect((await loaded("export default 1 +;")).answer).toMatchObject({ loaded: false });
    expect((await loaded("export const a = 1;", "b")).answer).toMatchObject({
      loaded: false,
      error: { message: "Error: the code exports no function named b" },
    });
    const slow = await loaded("export default (payload) => { while (!payload) {} return 'x'.repeat(2000); };");
    await expect(slow.call(null, { timeoutMs: 50 })).rejects.toMatchObject({ reason: "timed_out" });
    expect(slow.loop.hasEnded).toBe(true);
    await expect(slow.call(1)).rejects.toMatchObject({ reason: "interrupted" });
    const large = await loaded("export default () => 'x'.repeat(2000);");
    await expect(large.call(1, { bytesMax: 1000 })).rejects.toMatchObject({ reason: "response_too_large" });
    const ended = await loaded("export default () => process.exit(3);");
    await expect(ended.call(1)).rejects.toThrow(/exit code 3/);
  });
});

it("reads nothing more of a process that has failed: what its children write does not become svc's memory", async () => {
  const stdin = new PassThrough();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let ends = 0;
  const end = () => void ends++;
  const exited = new Promise<never>(() => undefined);
  const loop = new LoopProcess({ stdout, stderr, exited, kill: () => {}, end, resize: () => {} }, stdin);
  const failed = expect(loop.call({ line: "{}", timeoutMs: 10_000, bytesMax: 10 })).rejects.toMatchObject({
    reason: "response_too_large",
  });
  stdout.write(Buffer.alloc(20));
  await failed;
  expect(ends).toBeGreaterThan(0);
  const kept: WeakRef<Buffer>[] = [];
  for (let i = 0; i < 20; i++) {
    const chunk = Buffer.alloc(1024 ** 2);
    kept.push(new WeakRef(chunk));
    if (!stdout.write(chunk)) await once(stdout, "drain");
  }
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  await waitFor(() => {
    collectGarbage();
    expect(kept.filter((chunk) => chunk.deref()).length).toBeLessThan(5);
  });
});

const PROGRAMS: ["node" | "python", string][] = [
  ["node", "import { existsSync } from 'node:fs';\nexport const run = () => existsSync(new URL(import.meta.url));"],
  ["python", "import os\ndef run(payload, context):\n    return os.path.exists(__file__)\n"],
];

describe.each(PROGRAMS)("the file of code in %s", (language, code) => {
  it.skipIf(language === "python" && !hasPython)(
    "is in the folder of the workload, with which it is removed",
    async () => {
      const { call } = await loaded(code, "run", language);
      expect((await call(1)).result).toBe("true");
      expect(readdirSync(workload)).toEqual([expect.stringMatching(/^function-/)]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );
});
