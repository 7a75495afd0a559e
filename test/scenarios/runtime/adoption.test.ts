import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Allocation } from "../../../server/engines/runtime/runtime";
import { commandOf } from "../../factories/process-tree";
import { type RuntimeScene, runtimeScene } from "../../factories/runtime-scene";
import { waitFor } from "../../factories/wait-for";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const scene = await runtimeScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
const TICKS =
  'trap "echo stopping; exit 9" TERM; echo begin; i=0; while :; do i=$((i+1)); echo tick $i; sleep 0.05; done';

describe.skipIf(skipped)(`a workload whose svc is killed${skipped}`, () => {
  const { runtime, script, exited, output, dataDir, close } = scene as RuntimeScene;
  let program: string;
  beforeAll(async () => {
    const builds = path.join(rootDir, ".build/test");
    mkdirSync(builds, { recursive: true });
    program = path.join(mkdtempSync(path.join(builds, "runtime-")), "runtime-process.mjs");
    await build({
      entryPoints: [path.join(import.meta.dirname, "runtime-process.ts")],
      ...{ outfile: program, bundle: true, packages: "external", platform: "node", format: "esm", logLevel: "warning" },
    });
  });
  afterAll(async () => {
    rmSync(path.dirname(program), { recursive: true, force: true });
    await close();
  });

  /** Lets another process ensure a workload, and kills that process. */
  async function ensureAndDie(allocation: Allocation): Promise<void> {
    const child = spawn(process.execPath, [program, rootDir, dataDir, JSON.stringify(allocation)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  const supervisorOf = async (id: string): Promise<number> =>
    Number((await readFile(path.join(dataDir, "runtime/workloads", id, "supervisor"), "utf8")).split(" ")[0]);
  const lastTick = async (id: string): Promise<number> => Number(/tick (\d+)\n$/.exec(await output(id))?.[1] ?? 0);

  it("runs on, and the next svc observes, reads, ensures and stops it", async () => {
    const allocation = script("adopted", TICKS);
    await ensureAndDie(allocation);
    const before = await lastTick("adopted");
    await waitFor(async () => expect(await lastTick("adopted")).toBeGreaterThan(before), { interval: 20 });
    expect(await runtime.list()).toContain("adopted");
    expect(await runtime.observe("adopted")).toMatchObject({ state: "running" });
    await runtime.ensure(allocation);
    expect(await runtime.terminate("adopted", 30)).toMatchObject({ exitCode: 9, signal: null, cause: "exit" });
    const printed = await output("adopted");
    expect(printed).toMatch(/stopping\n$/);
    expect(printed.match(/begin/g)).toHaveLength(1);
  });

  it("has its exit recorded although no svc runs at that time", async () => {
    await ensureAndDie(script("unseen", "sleep 0.3; exit 4"));
    expect(await exited("unseen")).toMatchObject({ exitCode: 4, cause: "exit" });
  });

  it("ends as lost with its supervisor, and nothing of it runs on", async () => {
    await ensureAndDie(script("lost", `sleep 456789 & ${TICKS}`));
    const supervisor = await supervisorOf("lost");
    expect(commandOf(supervisor)).toContain("supervise.pl");
    process.kill(supervisor, "SIGKILL");
    const ended = await exited("lost");
    expect(ended).toMatchObject({ exitCode: null, signal: "SIGKILL", cause: "supervisor_lost" });
    expect(await runtime.observe("lost")).toEqual(ended);
    await waitFor(() => expect(runningCommands()).not.toContain("sleep 456789"));
  });
});

const runningCommands = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandOf(Number(pid)));
