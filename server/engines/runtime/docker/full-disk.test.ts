import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../../../../test/factories/wait-for";
import { DiskSpace } from "../../disk-space/disk-space";
import { DockerRuntime, type DockerRuntimeParts } from "./docker-runtime";
import { EngineClient } from "./engine-client";

const MIB = 1024 ** 2;
const isRoot = process.getuid?.() === 0;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const dir = mkdtempSync(path.join(os.tmpdir(), "svc-docker-disk-"));
const socketPath = path.join(dir, "engine.sock");
/** Of 5 GiB, of which svc keeps 512 MiB. */
let freeMib = 4000;
const spaceOf = async () => ({ bsize: MIB, blocks: 5120, bfree: freeMib, bavail: freeMib });

interface Container {
  /** Runs the first process of the container, in a process-id namespace of its own. */
  child: ChildProcess;
  pid: number;
  mib: number;
}

describe.skipIf(!isRoot)("containers fill the disk, which an engine tells by the size of their files", () => {
  const containers: Record<string, Container> = {};
  const calls: string[] = [];
  let engine: Server;
  let space: DiskSpace;
  let runtime: DockerRuntime;

  beforeAll(async () => {
    for (const id of ["a", "b"]) containers[id] = await startContainer(id);
    engine = createServer(({ method, url = "" }, response) => {
      const [, id = ""] = /^\/containers\/svc-test-(\w+)\//.exec(url) ?? [];
      calls.push(`${method} ${url.split("&")[0]}`);
      const container = containers[id];
      if (method === "POST") container?.child.kill("SIGKILL");
      if (method === "POST") return void response.writeHead(204).end();
      response.end(JSON.stringify(container ? inspected(container) : listed(containers)));
    }).listen(socketPath);
    await once(engine, "listening");
    space = await DiskSpace.open({ dir, log, spaceOf });
    runtime = new DockerRuntime({
      engine: new EngineClient(socketPath),
      installation: "test",
      dir: path.join(dir, "workloads"),
      space,
      isolation: "",
      enforcedLimits: new Set(),
      addedVariables: [],
      volumes: {},
    } as unknown as DockerRuntimeParts);
    if (runtime.disks) space.follow(runtime.disks);
  });
  afterAll(async () => {
    await space.stop();
    for (const { child } of Object.values(containers)) child.kill("SIGKILL");
    engine.close();
    rmSync(dir, { recursive: true });
  });

  const paused = () => runtime.disks?.paused();
  const stateOf = (id: string) => {
    const stat = readFileSync(`/proc/${containers[id]?.pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  };
  const measured = async () => {
    const count = () => calls.filter((call) => call === "GET /containers/json?size=true").length;
    const before = count();
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before + 1);
  };
  const grow = (id: string, mib: number) => {
    const container = containers[id];
    if (container) container.mib += mib;
  };

  it("their sizes are asked for only while it is nearly full", async () => {
    await space.look();
    await space.look();
    expect(calls).toEqual([]);
  });

  it("the one that grows is paused, the other one goes on, and all go on when there is space", async () => {
    freeMib = 250;
    await measured();
    grow("a", 2);
    await expect.poll(paused, { timeout: 60_000 }).toEqual(["a"]);
    await expect.poll(() => stateOf("a"), { timeout: 60_000 }).toBe("T");
    expect(stateOf("b")).not.toBe("T");
    freeMib = 4000;
    await expect.poll(paused, { timeout: 60_000 }).toEqual([]);
    await expect.poll(() => stateOf("a"), { timeout: 60_000 }).not.toBe("T");
  }, 120_000);

  it("one that goes on although it is paused is ended", async () => {
    freeMib = 250;
    await measured();
    grow("b", 2);
    await expect.poll(paused, { timeout: 60_000 }).toEqual(["b"]);
    await measured();
    expect(calls).not.toContain("POST /containers/svc-test-b/kill?signal=SIGKILL");
    await expect
      .poll(
        () => {
          grow("b", 65);
          return calls.includes("POST /containers/svc-test-b/kill?signal=SIGKILL");
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(true);
  }, 120_000);
});

async function startContainer(id: string): Promise<Container> {
  await mkdir(path.join(dir, "workloads", id), { recursive: true });
  const script = "while :; do sleep 0.05; done";
  const child = spawn("unshare", ["--pid", "--fork", "--kill-child", "sh", "-c", script], { stdio: "ignore" });
  const children = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  await waitFor(() => expect(children()).toMatch(/^\d+$/));
  return { child, pid: Number(children()), mib: 100 };
}

const inspected = ({ pid }: Container) => ({
  Id: "id",
  State: { Status: "running", Pid: pid, ExitCode: 0, OOMKilled: false, StartedAt: new Date(0), FinishedAt: "" },
});

const listed = (containers: Record<string, Container>) =>
  Object.entries(containers).map(([id, { mib }]) => ({ Labels: { "svc.allocation": id }, SizeRw: mib * MIB }));
