import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { layerOf, tarOf } from "../../../../test/factories/image-layers";
import { childrenOf, commandOf, processTree } from "../../../../test/factories/process-tree";
import { describeRuntime } from "../../../../test/factories/runtime-contract";
import { cgroupsOf, type RuntimeScene, runtimeScene, SHELL_CONFIG } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { canLimitWorkloads } from "../../../../test/factories/workload-node";
import { processMark } from "../../file-lock.mjs";
import { runScript } from "../../perl/run-script";
import { programFields } from "../../programs/program-fields";
import { runProgram } from "../../programs/run-program";

const PERL = path.resolve(import.meta.dirname, "../../perl");

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
  more: ({ runtime, registry, shellLayer, script, exited, output, dataDir }) => {
    it("has limits where the node can enforce them", () => {
      expect(runtime.limitsEnforced).toBe(canLimitWorkloads());
    });

    it.runIf(hasLimits)("keeps no control group of a further program that has ended", async () => {
      const id = `grouped-${process.pid}`;
      await runtime.ensure(script(id, FOREVER));
      const groups = async () => {
        const folders = await Promise.all((await cgroupsOf(id)).map((folder) => readdir(folder)));
        return folders.flat().filter((name) => name.startsWith("exec-"));
      };
      const left = await runtime.exec(id, ["sh", "-c", "setsid sleep 86431 & exit 0"]);
      await left.exited;
      expect(await groups()).toHaveLength(1);
      // All but itself and the first process.
      const kills = await runtime.exec(id, ["sh", "-c", "kill -9 -1"]);
      await kills.exited;
      await waitFor(async () => expect(await groups()).toEqual([]));
    });

    it.each(["0", "1000:1000"])("ends with its supervisor, also while nobody looks (user %s)", async (user) => {
      const id = `orphan-${user.length}`;
      await runtime.ensure(script(id, `setsid sleep 8644${user.length} & ${FOREVER}`, { user }));
      const isRunning = () => processTree(1).some((pid) => commandOf(pid) === `sleep 8644${user.length}`);
      await waitFor(() => expect(isRunning()).toBe(true));
      const supervisor = await readFile(path.join(dataDir, "runtime/workloads", id, "supervisor"), "utf8");
      process.kill(Number(supervisor.split(" ")[0]), "SIGKILL");
      await waitFor(() => expect(isRunning()).toBe(false));
      expect(await runtime.observe(id)).toMatchObject({ state: "exited", cause: "supervisor_lost" });
      await runtime.remove(id);
    });

    it("takes the stop signal when it sets a handler after it was asked to stop", async () => {
      // The signal ends the first of its programs, and is dropped for the shell.
      const waits = "(echo waits; exec sleep 1000)";
      await runtime.ensure(script("late", `${waits}; trap "exit 3" TERM; while :; do sleep 0.05; done`));
      await waitFor(async () => expect(await output("late")).toMatch(/waits/));
      const ended = runtime.terminate("late", 600);
      expect(await ended).toMatchObject({ state: "exited", exitCode: 3 });
      await runtime.remove("late");
    });

    it("is started by another process than svc, whose calls would wait for its fork", async () => {
      await runtime.ensure(script("child", FOREVER));
      const execution = await runtime.exec("child", ["sleep", "86441"]);
      const children = childrenOf(process.pid).map(commandOf);
      expect(children.filter((command) => /supervise\.pl|execute\.pl/.test(command))).toEqual([]);
      execution.end();
      await runtime.remove("child");
    });

    it("goes on with its programs when the process that started them is killed", async () => {
      await runtime.ensure(script("left", FOREVER));
      const stdin = new PassThrough();
      const execution = await runtime.exec("left", ["sh", "-c", "read line; echo $line; exit 7"], { stdin });
      const starter = Number(await runProgram("sh", ["-c", "echo $PPID"]));
      process.kill(starter, "SIGKILL");
      await waitFor(() => expect(processMark(starter)).toBeUndefined());
      stdin.end("typed\n");
      expect(await text(execution.stdout)).toBe("typed\n");
      expect(await execution.exited).toEqual({ exitCode: 7, signal: null });
      expect(await runtime.observe("left")).toMatchObject({ state: "running" });
      const next = await runtime.exec("left", ["sh", "-c", "exit 8"]);
      expect(await next.exited).toEqual({ exitCode: 8, signal: null });
      await runtime.remove("left");
    });

    it("has one supervisor, even if another one is started", async () => {
      await runtime.ensure(script("single", FOREVER));
      const before = await runtime.observe("single");
      const fields = programFields([["dir", path.join(dataDir, "runtime/workloads/single")]]);
      await expect(runScript(PERL, ["supervise.pl"], fields)).rejects.toThrow();
      expect(await runtime.observe("single")).toEqual(before);
    });

    it("is not started with a volume where the image has a symbolic link, and what restored it leaves nothing outside", async () => {
      const layers = [shellLayer, await layerOf([{ name: "made", type: "symlink", linkname: "/etc" }])];
      const image = { reference: registry.add("linked", { layers, config: SHELL_CONFIG }).reference };
      const bytes = 16 * 1024 ** 2;
      const restore = Readable.from([
        await tarOf([
          { name: "up", type: "symlink", linkname: "../../../.." },
          { name: "up/escaped", content: "inside" },
          { name: "null", type: "character-device" },
          // Larger than the volume, but a hole.
          { name: "sparse", content: Buffer.alloc(24 * 1024 ** 2) },
        ]),
      ]);
      await runtime.volumes?.make("linked", { bytes, restore });
      const volume = { id: "linked", path: "/made/volume" };
      await expect(runtime.ensure(script("linked", "echo no", { image, volumes: [volume] }))).rejects.toMatchObject({
        reason: "start_failed",
        message: expect.stringContaining("/made of the image is not a folder"),
      });
      await runtime.ensure(script("scoped", "ls /space", { volumes: [{ ...volume, path: "/space" }] }));
      await exited("scoped");
      expect(await output("scoped")).toBe("escaped\nsparse\nup\n");
      const far = runtime.volumes?.make("large", { bytes: 4 * 1024 ** 4 });
      await expect(far).rejects.toMatchObject({
        reason: "no_disk_space",
        message: expect.stringContaining("4096 GiB"),
      });
      await Promise.all(["linked", "large"].map((id) => runtime.volumes?.remove(id)));
    });

    it("can make no further namespaces", async () => {
      await runtime.ensure(script("unshares", "unshare echo unshared; cat /proc/sys/user/max_user_namespaces"));
      await exited("unshares");
      // Without a filter this call, which asks for no new namespace, succeeds.
      expect(await output("unshares")).toMatch(/unshare failed: Operation not permitted\n0\n$/);
    });
  },
});
