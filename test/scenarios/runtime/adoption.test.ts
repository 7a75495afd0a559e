import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Allocation } from "../../../server/engines/runtime/runtime";
import { commandOf } from "../../factories/process-tree";
import { cgroupsOf, type RuntimeScene, runtimeScene } from "../../factories/runtime-scene";
import { testProgram } from "../../factories/test-program";
import { waitFor } from "../../factories/wait-for";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const scene = await runtimeScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
const program = await testProgram(path.join(import.meta.dirname, "runtime-process.ts"));
/** No account of this machine. */
const ORDINARY = 54_321;
/** Node closes inherited files only below the first 16 numbers. */
const WITH_OPEN_FOLDER = 'use POSIX; opendir(D, "/"); POSIX::dup2(fileno D, 77); exec @ARGV';
const TICKS =
  'trap "echo stopping; exit 9" TERM; echo begin; i=0; while :; do i=$((i+1)); echo tick $i; sleep 0.05; done';

interface EnsureAndDie {
  uid?: number;
  gid?: number;
  dataDir?: string;
  /** When the other process is killed, from the moment that it begins; default: when the workload runs. */
  afterMs?: number;
}

describe.skipIf(skipped)(`a workload whose svc is killed${skipped}`, () => {
  const { runtime, script, exited, output, dataDir, close } = scene as RuntimeScene;
  afterAll(() => close());

  /** Lets another process ensure a workload, and kills that process. */
  async function ensureAndDie(allocation: Allocation, options: EnsureAndDie = {}): Promise<void> {
    const { dataDir: dir = dataDir, afterMs, ...ids } = options;
    const command = [process.execPath, program, rootDir, dir, JSON.stringify(allocation)];
    const child = spawn("perl", ["-e", WITH_OPEN_FOLDER, ...command], {
      stdio: ["ignore", "pipe", "inherit"],
      ...ids,
    });
    const wanted = afterMs === undefined ? "ensured" : "ensuring";
    for await (const line of createInterface({ input: child.stdout })) if (line === wanted) break;
    expect(child.exitCode).toBeNull();
    await sleep(afterMs ?? 0);
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  it.skipIf(process.getuid?.() !== 0)(
    "runs for an ordinary user too, without rights of that user or of root",
    async () => {
      const own = await mkdtemp(path.join(os.tmpdir(), "svc-ordinary-"));
      await chown(own, ORDINARY, ORDINARY);
      const confined =
        "id -u; while read key value; do case $key in CapEff:|NoNewPrivs:) echo $key $value;; esac; done";
      const allocation = script("ordinary", `${confined} < /proc/self/status; cat ${own}/mine; exit 6`);
      await writeFile(path.join(own, "mine"), "mine");
      await ensureAndDie(allocation, { uid: ORDINARY, gid: ORDINARY, dataDir: own });
      const folder = path.join(own, "runtime/workloads/ordinary");
      const exit = await waitFor(() => readFile(path.join(folder, "exited"), "utf8"));
      expect(exit).toBe(`${6 << 8} 0\n`);
      const printed = await readFile(path.join(folder, "log/000000000000000"), "utf8");
      expect(printed).toMatch(/^0\nCapEff: 00000000800001fb\nNoNewPrivs: 1\n/);
      expect(printed).toContain("No such file");
      await rm(own, { recursive: true });
    },
  );

  it("receives no open file of its svc", async () => {
    await ensureAndDie(script("files", "ls /proc/1/fd"));
    await exited("files");
    expect(await output("files")).toBe("0\n1\n2\n");
  });

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

  it.each([0, 20, 40, 60, 80, 100, 130, 160])(
    "starts once although svc is killed %i ms after it began",
    async (afterMs) => {
      const allocation = script(`killed-${afterMs}`, TICKS);
      await ensureAndDie(allocation, { afterMs });
      await runtime.ensure(allocation);
      await waitFor(async () => expect(await output(allocation.id)).toContain("tick 3"), { interval: 10 });
      expect((await output(allocation.id)).match(/begin/g)).toHaveLength(1);
      await runtime.remove(allocation.id);
      expect(await runtime.list()).not.toContain(allocation.id);
      expect(await cgroupsOf(allocation.id)).toEqual([]);
      expect(await readFile("/proc/self/mountinfo", "utf8")).not.toContain(
        `${dataDir}/runtime/workloads/${allocation.id}/`,
      );
    },
  );

  it("takes a process with it that an interrupted start has left in its control group", async () => {
    await runtime.ensure(script("crowded", TICKS));
    const stray = spawn("sleep", ["456"], { stdio: "ignore" });
    const exit = once(stray, "exit");
    const [folder = ""] = await cgroupsOf("crowded");
    await writeFile(path.join(folder, "cgroup.procs"), String(stray.pid));
    await runtime.remove("crowded");
    expect(await exit).toEqual([null, "SIGKILL"]);
    expect(await cgroupsOf("crowded")).toEqual([]);
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
