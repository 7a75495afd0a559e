import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { type ContainerEngine, startContainerEngine } from "../../../../test/factories/container-engine";
import { describeRuntime } from "../../../../test/factories/runtime-contract";
import { openScene, type RuntimeScene } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { EngineClient } from "./engine-client";

const engine = await startContainerEngine();
const scene = typeof engine === "string" ? engine : await sceneOn(engine);
const client = typeof engine === "string" ? undefined : new EngineClient(engine.socket);
afterAll(async () => {
  if (typeof engine !== "string") await engine.stop();
});

async function sceneOn({ socket, stop }: ContainerEngine): Promise<RuntimeScene | string> {
  try {
    return await openScene({ kind: "docker", engineSockets: [socket] });
  } catch (cause) {
    await stop();
    throw cause;
  }
}

const containers = async (): Promise<string[]> => {
  const found = await client?.json<{ Names: string[] }[]>({ path: "/containers/json?all=true" });
  return (found ?? []).flatMap(({ Names }) => Names);
};

async function tracesOf({ dataDir }: RuntimeScene, id: string): Promise<string[]> {
  const folders = await readdir(path.join(dataDir, "runtime/docker/workloads")).catch(() => []);
  const names = [...(await containers()), ...folders];
  return names.filter((name) => (id === "" ? true : name === id || name.endsWith(`-${id}`)));
}

describeRuntime("docker", {
  scene,
  tracesOf,
  // A container and a folder.
  traces: 2,
  confinement: "CapBnd: 00000000000000e3\nNoNewPrivs: 1\nSeccomp: 2\n",
  more: ({ runtime, script, dataDir }) => {
    it("enforces memory, CPU and processes, and says whether it limits disks", () => {
      expect([...runtime.enforcedLimits]).toEqual(expect.arrayContaining(["memoryBytes", "cpuMillis", "pids"]));
      expect(runtime.limitsEnforced).toBe(runtime.enforcedLimits.has("diskBytes"));
      expect(runtime.isolation.includes("does not enforce limits of: disk")).toBe(!runtime.limitsEnforced);
    });

    it("has its network again after what keeps it was killed", async () => {
      await runtime.ensure(script("kept", "while :; do sleep 0.05; done", { network: "http" }));
      const keeper = await readFile(path.join(dataDir, "runtime/docker/workloads/kept/keeper"), "utf8");
      process.kill(Number(keeper.split(" ")[0]), "SIGKILL");
      // Without a cause, it is the port in the container that does not accept the connection.
      const closed = { reason: "port_closed", cause: undefined };
      await waitFor(() => expect(runtime.connect("kept", 8000)).rejects.toMatchObject(closed), { interval: 20 });
      await runtime.terminate("kept", 0);
    });
  },
});
