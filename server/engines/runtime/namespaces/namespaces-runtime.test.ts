import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { describeRuntime } from "../../../../test/factories/runtime-contract";
import { cgroupsOf, type RuntimeScene, runtimeScene } from "../../../../test/factories/runtime-scene";
import { canLimitWorkloads } from "../../../../test/factories/workload-machine";
import { runScript, scriptFields } from "./run-script";

const scene = await runtimeScene();
const hasLimits = typeof scene !== "string" && scene.runtime.limitsEnforced;
const FOREVER = "while :; do sleep 0.05; done";

async function tracesOf({ dataDir }: RuntimeScene, id: string): Promise<string[]> {
  const workloads = path.join(dataDir, "runtime/workloads");
  const mounts = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
  const folders = await readdir(workloads).catch(() => []);
  return [
    ...(id === "" ? [] : await cgroupsOf(id)),
    ...mounts.filter((mount) => mount.includes(path.join(workloads, id))),
    ...folders.filter((name) => name === id),
  ];
}

describeRuntime("namespaces", {
  scene,
  tracesOf,
  // Three control groups, a mounted disk and a folder.
  traces: hasLimits ? 5 : 1,
  confinement: "CapBnd: 00000000800001fb\nNoNewPrivs: 1\nSeccomp: 2\n",
  restartMachine: ({ dataDir }, id) => {
    if (hasLimits) execFileSync("umount", [path.join(dataDir, "runtime/workloads", id, "data")]);
  },
  more: ({ runtime, script, exited, output, dataDir }) => {
    it("has limits where the machine can enforce them", () => {
      expect(runtime.limitsEnforced).toBe(canLimitWorkloads());
    });

    it("has one supervisor, even if another one is started", async () => {
      await runtime.ensure(script("single", FOREVER));
      const before = await runtime.observe("single");
      const fields = scriptFields([["dir", path.join(dataDir, "runtime/workloads/single")]]);
      await expect(runScript(import.meta.dirname, ["supervise.pl"], fields)).rejects.toThrow();
      expect(await runtime.observe("single")).toEqual(before);
    });

    it("can make no further namespaces", async () => {
      await runtime.ensure(script("unshares", "unshare echo unshared; cat /proc/sys/user/max_user_namespaces"));
      await exited("unshares");
      // Without a filter this call, which asks for no new namespace, succeeds.
      expect(await output("unshares")).toMatch(/unshare failed: Operation not permitted\n0\n$/);
    });
  },
});
