import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, it } from "vitest";
import { layerOf } from "../../../../test/factories/image-layers";
import { commandOf } from "../../../../test/factories/process-tree";
import { describeRuntime } from "../../../../test/factories/runtime-contract";
import { openScene, type RuntimeScene, SHELL_CONFIG, textOf } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { startRuntime } from "../../start-runtime";
import { removeProcesses } from "./open-process-runtime";

const rootDir = path.resolve(import.meta.dirname, "../../../..");
const scene = process.platform === "linux" ? await openScene({ kind: "process" }) : "plain processes need Linux";
const FOREVER = "while :; do sleep 0.05; done";

const folderOf = ({ dataDir }: RuntimeScene, id: string) => path.join(dataDir, "runtime/process/workloads", id);

async function tracesOf({ dataDir }: RuntimeScene, id: string): Promise<string[]> {
  const folders = await readdir(path.join(dataDir, "runtime/process/workloads")).catch(() => []);
  return folders.filter((name) => id === "" || name === id);
}

async function processesSaying(text: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.filter((pid) => pid !== process.pid && commandOf(pid).includes(text));
}

describeRuntime("process", {
  scene,
  tracesOf,
  // A folder.
  traces: 1,
  confinement: "",
  rootOf: (given, id) => path.join(folderOf(given, id), "root"),
  more: (given) => {
    const { runtime, registry, script, exited, output, dataDir, shell, shellLayer } = given;
    const runs = (text: string) => waitFor(async () => expect(await processesSaying(text)).not.toEqual([]));

    it("runs with the loader, the libraries, the PATH and the environment of its image alone", async () => {
      const maps = `while read line; do case $line in */l*.so*) echo $\{line#*/};; esac; done < /proc/$$/maps`;
      await runtime.ensure(script("own", `${maps}; cat /proc/$$/environ`, { env: { OWN: "mine" } }));
      await exited("own");
      const root = path.join(folderOf(given, "own"), "root");
      const [variables = "", ...files] = (await output("own")).trim().split("\n").reverse();
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter((file) => !`/${file}`.startsWith(root))).toEqual([]);
      expect(variables.split("\0").filter(Boolean).sort()).toEqual([
        "FROM_IMAGE=yes",
        `HOME=${root}`,
        "OWN=mine",
        `PATH=${root}/bin`,
        `SVC_WORKLOAD=${folderOf(given, "own")}`,
      ]);
    });

    it("has the files of all layers without those that were deleted, and links that stay in its root", async () => {
      const tool = "#!/usr/bin/env sh\necho tool $0 $*\ncat ../data/kept; ls ../data\n";
      const first = await layerOf([
        { name: "data/kept", content: "old\n" },
        { name: "data/gone", content: "gone" },
        { name: "was-link", type: "symlink", linkname: "/etc/hostname" },
        { name: "opt/tool", mode: 0o755, content: tool },
      ]);
      const second = await layerOf([
        { name: "data/kept", content: "new\n" },
        { name: "data/.wh.gone" },
        { name: "was-link", content: "a file" },
        { name: "bin/tool", type: "symlink", linkname: "/opt/tool" },
      ]);
      const layers = [shellLayer, first, second];
      const { reference } = registry.add("layered", { layers, config: { ...SHELL_CONFIG, WorkingDir: "/opt" } });
      await runtime.ensure({ id: "layered", image: { reference }, command: ["tool", "a b"], network: "none" });
      expect(await exited("layered")).toMatchObject({ exitCode: 0 });
      const root = path.join(folderOf(given, "layered"), "root");
      expect(await output("layered")).toBe(`tool ${root}/bin/tool a b\nnew\nkept\n`);
      expect(await readFile(path.join(root, "was-link"), "utf8")).toBe("a file");
    });

    it("runs further programs with its environment, and receives notices", async () => {
      await runtime.ensure(script("execs", FOREVER, { env: { OWN: "mine" } }));
      const command = ["sh", "-c", 'cat; echo "$OWN $MORE"; echo bad >&2; cat "$HOME/run/svc/note.json"; exit 5'];
      await runtime.notify("execs", "note.json", "a note\n");
      const execution = await runtime.exec("execs", command, {
        stdin: Readable.from(["typed\n"]),
        env: { MORE: "more" },
      });
      const [stdout, stderr, exit] = await Promise.all([
        textOf(execution.stdout),
        textOf(execution.stderr),
        execution.exited,
      ]);
      expect({ stdout, stderr, exit }).toEqual({
        stdout: "typed\nmine more\na note\n",
        stderr: "bad\n",
        exit: { exitCode: 5, signal: null },
      });
      await expect(runtime.exec("execs", ["no-such-program"])).rejects.toMatchObject({ reason: "start_failed" });
      const sleeping = await runtime.exec("execs", ["sleep", "1000"]);
      await runtime.terminate("execs", 0);
      expect(await sleeping.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
      await expect(runtime.exec("execs", ["id"])).rejects.toMatchObject({ reason: "not_running" });
    });

    it("says what it cannot do", async () => {
      const refused = { reason: "not_supported", message: expect.stringContaining("RUNTIME=process") };
      const restore = Readable.from(["files"]);
      await expect(runtime.ensure(script("no", "exit"), { restore })).rejects.toMatchObject(refused);
      await expect(runtime.ensure(script("no", "exit", { gpus: ["GPU-1"] }))).rejects.toMatchObject(refused);
      await runtime.ensure(script("no", FOREVER));
      const terminal = { columns: 80, rows: 24 };
      await expect(runtime.exec("no", ["sh"], { terminal })).rejects.toMatchObject(refused);
      await runtime.remove("no");
    });

    it("leaves no process, whatever its session and environment are, when its program or svc ends it", async () => {
      const away = "/usr/bin/setsid /bin/sleep 71234 & /usr/bin/env -i /usr/bin/setsid /bin/sleep 71235 &";
      await runtime.ensure(script("leaves", `${away} sleep 0.1; exit 3`));
      expect(await exited("leaves")).toMatchObject({ exitCode: 3, cause: "exit" });
      expect(await processesSaying("sleep 7123")).toEqual([]);
      await runtime.ensure(script("stays", `${away} ${FOREVER}`));
      await runs("sleep 71234");
      await runs("sleep 71235");
      await runtime.terminate("stays", 0);
      expect(await processesSaying("sleep 7123")).toEqual([]);
    });

    it("runs on without svc, whose next start observes and ends it, and ends with its supervisor", async () => {
      const log = { info: () => undefined, warn: () => undefined };
      const options = {
        rootDir,
        dataDir,
        kind: "process",
        policy: { allowsLoopback: true, ownHosts: [] },
        log,
      } as const;
      const { runtime: next } = await startRuntime(options).choice();
      await runtime.ensure(script("adopted", `trap "exit 9" TERM; echo ready; /bin/sleep 71235 & ${FOREVER}`));
      // The signal has its trap by now.
      await waitFor(async () => expect(await output("adopted")).toContain("ready"));
      const allocation = { id: "adopted", image: { reference: shell }, network: "none" } as const;
      expect(await next?.ensure(allocation)).toEqual({ pulledBytes: null });
      expect(await next?.terminate("adopted", 30)).toMatchObject({ exitCode: 9, cause: "exit" });
      await runtime.ensure(script("lost", `/usr/bin/setsid /bin/sleep 71236 & ${FOREVER}`));
      await runs("sleep 71236");
      const supervisor = await readFile(path.join(folderOf(given, "lost"), "supervisor"), "utf8");
      process.kill(Number(supervisor.split(" ")[0]), "SIGKILL");
      expect(await exited("lost")).toMatchObject({ signal: "SIGKILL", cause: "supervisor_lost" });
      expect(await processesSaying("sleep 71236")).toEqual([]);
    });

    it("ends when svc runs pods in another way", async () => {
      await runtime.ensure(script("before", `sleep 71237 & ${FOREVER}`));
      await runs("sleep 71237");
      await removeProcesses(path.join(dataDir, "runtime/process"));
      expect(await processesSaying("sleep 71237")).toEqual([]);
      expect(await runtime.list()).not.toContain("before");
    });

    afterAll(async () => expect(await processesSaying(dataDir)).toEqual([]));
  },
});
