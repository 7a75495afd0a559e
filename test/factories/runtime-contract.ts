import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { describeExecutions } from "./execution-contract";
import { layerOf, programLayer } from "./image-layers";
import { INTERNET_NAME, PERL_CLIENT, PERL_SERVER } from "./internet-double";
import { commandOf } from "./process-tree";
import { startRegistryDouble } from "./registry-double";
import { type RuntimeScene, SHELL_CONFIG, textOf } from "./runtime-scene";
import { waitFor } from "./wait-for";

/** What differs between runtimes, and how their traces are found. */
export interface RuntimeContract {
  /** A sentence if the runtime cannot be tried here. */
  scene: RuntimeScene | string;
  /** The words of the names of control groups, mounts, containers and folders that a workload uses. */
  tracesOf(scene: RuntimeScene, id: string): Promise<string[]>;
  /** How many of them a workload has that runs. */
  traces: number;
  /** The lines of CapBnd, NoNewPrivs and Seccomp in a workload. */
  confinement: string;
  /** Where the files of a workload's image are on the node, without isolation. */
  rootOf?(scene: RuntimeScene, id: string): string;
  /** Further tests of the same scene. */
  more?(scene: RuntimeScene): void;
}

const FOREVER = "while :; do sleep 0.05; done";

/**
 * The guarantees of the interface `Runtime`. Programs of a runtime without isolation write to the node of the tests:
 * what names a path of the image by itself is tried with isolation only.
 */
export function describeRuntime(kind: string, contract: RuntimeContract): void {
  const { scene } = contract;
  const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";
  describe.skipIf(skipped)(`a workload on the ${kind} runtime${skipped}`, () => {
    const { runtime, registry, shellLayer, script, exited, output, dataDir, shell, close } = scene as RuntimeScene;
    const tracesOf = (id: string) => contract.tracesOf(scene as RuntimeScene, id);
    afterAll(async () => {
      await close();
      expect(await tracesOf("")).toEqual([]);
    });
    contract.more?.(scene as RuntimeScene);
    const isIsolated = !runtime?.gaps.has("isolation");
    const hasTerminals = !runtime?.gaps.has("terminals");
    const hasSnapshots = runtime?.snapshots !== false;

    const said = (id: string, text: string) =>
      waitFor(async () => expect(await output(id)).toContain(text), { interval: 10 });
    const processesSaying = async (text: string) => {
      const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
      return pids.filter((pid) => pid !== process.pid && commandOf(pid).includes(text));
    };

    describeExecutions(scene as RuntimeScene);

    it("runs the image's program with its environment, and reports output and exit code", async () => {
      const workingDir = "/made/for/it";
      const printed = 'echo "$FROM_IMAGE $OWN $(id -u)"; echo error >&2; pwd; exit 3';
      await runtime.ensure(script("runs", printed, { env: { OWN: "mine" }, workingDir, user: "1000:1000" }));
      expect(await exited("runs")).toMatchObject({ exitCode: 3, signal: null, oomKilled: false, cause: "exit" });
      // An ordinary user's workloads have no other user.
      const uid = isIsolated ? (process.getuid?.() === 0 ? 1000 : 0) : process.getuid?.();
      const root = contract.rootOf?.(scene as RuntimeScene, "runs") ?? "";
      const lines = [`yes mine ${uid}`, "error", root + workingDir, ""];
      const received = (await output("runs")).split("\n");
      if (runtime.gaps.has("output_order")) expect(received.sort()).toEqual(lines.sort());
      else expect(received).toEqual(lines);
    });

    it("takes CMD of the image without arguments, and a command instead of both", async () => {
      const image = { reference: shell };
      await runtime.ensure({ id: "default", image, network: "none" });
      await runtime.ensure({
        id: "command",
        image,
        network: "none",
        command: ["cat", "/etc/hosts"],
        hostname: "named",
      });
      expect(await exited("default")).toMatchObject({ exitCode: 0 });
      expect(await exited("command")).toMatchObject({ exitCode: 0 });
      expect(await output("default")).toBe("default\n");
      expect(await output("command")).toContain(isIsolated ? "127.0.0.1 localhost named" : "localhost");
    });

    it("fails with the program's name if the image does not contain it, and leaves nothing behind", async () => {
      const missing = script("missing", "", { command: ["/bin/no-such-program"] });
      await expect(runtime.ensure(missing)).rejects.toMatchObject({
        reason: "start_failed",
        message: expect.stringContaining("/bin/no-such-program"),
      });
      expect(await runtime.observe("missing")).toEqual({ state: "absent" });
      expect(await runtime.list()).not.toContain("missing");
      expect(await tracesOf("missing")).toEqual([]);
    });

    it("A's layers on the node are not given to B, whose registry has a manifest that names them", async () => {
      await runtime.ensure(script("of-a", "echo a"));
      expect(await exited("of-a")).toMatchObject({ exitCode: 0 });
      const other = await startRegistryDouble();
      const { reference, layers } = other.add("shell", { layers: [shellLayer], config: SHELL_CONFIG });
      other.blobs.delete(layers[0]?.digest ?? "");
      const forged = runtime.ensure(script("of-b", "echo b", { image: { reference, owner: "b" } }));
      await expect(forged).rejects.toMatchObject({ reason: "image_not_found" });
      await other.stop();
    });

    it.each([
      ["an id with other characters", { id: "../up" }],
      ["a limit below 1", { limits: { memoryBytes: 0 } }],
      ["a limit that is no whole number", { limits: { cpuMillis: Number.NaN } }],
      ["a disk that is too small", { limits: { diskBytes: 4096 } }],
      ["a variable with an invalid name", { env: { "A=B": "1" } }],
      ["a NUL character", { command: ["sh", "\0"] }],
    ])("is not started with %s", async (_, wrong) => {
      const allocation = { ...script("wrong", "echo no"), ...wrong };
      await expect(runtime.ensure(allocation)).rejects.toMatchObject({ reason: "invalid_allocation" });
      expect(await runtime.list()).not.toContain("wrong");
    });

    it("starts once, however many calls ensure it at once or later", async () => {
      const allocation = script("once", "echo started");
      await Promise.all(Array.from({ length: 20 }, () => runtime.ensure(allocation)));
      const first = await exited("once");
      await runtime.ensure(allocation);
      expect(await runtime.observe("once")).toEqual(first);
      expect(await output("once")).toBe("started\n");
    });

    it("receives the stop signal in every process", async () => {
      const child = `(trap "echo child; exit" TERM; echo ready; ${FOREVER})`;
      await runtime.ensure(script("stops", `trap "echo parent" TERM; ${child} & wait; wait; exit 7`));
      await said("stops", "ready");
      expect(await runtime.terminate("stops", 30)).toMatchObject({ state: "exited", exitCode: 7, signal: null });
      expect((await output("stops")).split("\n")).toEqual(expect.arrayContaining(["child", "parent"]));
    });

    it("is killed when the grace is over", async () => {
      await runtime.ensure(script("stubborn", `trap "echo ignored" TERM; echo ready; ${FOREVER}`));
      await said("stubborn", "ready");
      expect(await runtime.terminate("stubborn", 0.3)).toMatchObject({
        exitCode: null,
        signal: "SIGKILL",
        oomKilled: false,
      });
      expect(await output("stubborn")).toContain("ignored");
    });

    it("can be terminated and removed although it does not exist", async () => {
      expect(await runtime.terminate("unknown", 5)).toEqual({ state: "absent" });
      await runtime.signal("unknown", "SIGTERM");
      await runtime.remove("unknown");
      expect(await textOf(runtime.logs("unknown", { follow: true }))).toBe("");
      const reason = hasSnapshots ? "not_found" : "not_supported";
      await expect(textOf(runtime.snapshot("unknown"))).rejects.toMatchObject({ reason });
    });

    it.skipIf(!runtime?.enforcedLimits.has("memoryBytes"))(
      "is ended by the kernel beyond its memory limit, and says so",
      async () => {
        const limits = { memoryBytes: 32 * 1024 * 1024 };
        await runtime.ensure(script("hungry", "", { command: ["tail", "/dev/zero"], limits }));
        expect(await exited("hungry")).toMatchObject({
          exitCode: null,
          signal: "SIGKILL",
          ...(!runtime.gaps.has("oom_report") && { oomKilled: true }),
        });
      },
    );

    it.skipIf(!runtime?.enforcedLimits.has("pids"))("cannot have more processes than its limit", async () => {
      const many = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 5 & done; echo unlimited";
      await runtime.ensure(script("many", many, { limits: { pids: 8 } }));
      expect(await exited("many")).toMatchObject({ exitCode: 2 });
      expect(await output("many")).toMatch(/Cannot fork/);
    });

    it.skipIf(!runtime?.enforcedLimits.has("diskBytes"))("cannot write more than its limit to its disk", async () => {
      const fill = "cat /dev/zero > /full; ls -l /full; echo no > /more || echo refused";
      await runtime.ensure(script("fills", fill, { limits: { diskBytes: 16 * 1024 * 1024 } }));
      await exited("fills");
      expect(await output("fills")).toContain("No space left on device");
      const bytes = Number(/ 0 +0 +(\d+)/.exec(await output("fills"))?.[1]);
      expect(bytes).toBeGreaterThan(4 * 1024 * 1024);
      expect(bytes).toBeLessThan(16 * 1024 * 1024);
    });

    it.runIf(isIsolated)("sees no process, file, network interface or privilege of the node", async () => {
      await writeFile(path.join(dataDir, "secret"), "secret");
      const lines = [
        "echo $$; set -- /proc/[0-9]*; echo $#",
        "cat /proc/net/dev | while read name rest; do case $name in *:) echo $name;; esac; done",
        `cat ${dataDir}/secret; ls /sys/fs/cgroup | cat; echo x > /proc/sys/kernel/core_pattern`,
        "while read key value; do case $key in NoNewPrivs:|CapBnd:|Seccomp:) echo $key $value;; esac; done < /proc/self/status",
      ];
      const network = runtime.ports === false ? "none" : "http";
      await runtime.ensure(script("confined", lines.join("; "), { network }));
      await exited("confined");
      const printed = await output("confined");
      expect(printed).toMatch(/^1\n1\nlo:\n/);
      expect(printed).toContain("secret: No such file");
      expect(printed).toMatch(/core_pattern: (Permission denied|Read-only)/);
      expect(printed).toContain(contract.confinement);
    });

    it.runIf(isIsolated)(
      "has its environment only in its own programs: neither svc's tools see it, nor it svc's",
      async () => {
        await runtime.ensure(script("clean", "cat /proc/1/environ", { env: { LD_PRELOAD: "/none.so" } }));
        await exited("clean");
        const printed = await output("clean");
        // The loader complains once for the shell and once for cat.
        expect(printed.match(/ld\.so/g)).toHaveLength(2);
        // Its last variable ends with a NUL, and the loader's sentences with a new line.
        const variables = printed.split(/[\0\n]/).filter((part) => !part.includes("ld.so"));
        const names = variables.map((variable) => variable.split("=")[0] ?? "").filter(Boolean);
        const added = runtime.addedVariables.filter((name) => names.includes(name));
        expect(names.sort()).toEqual(["FROM_IMAGE", "HOME", "LD_PRELOAD", "PATH", ...added].sort());
      },
    );

    it("keeps the newest output within its limit, and follows it to the end", async () => {
      const logBytesMax = 64 * 1024;
      const loop = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo line $i; done";
      const allocation = script("loud", loop, { logBytesMax });
      await runtime.ensure(allocation);
      const followed = await textOf(runtime.logs("loud", { follow: true, tailBytes: 0 }));
      expect(followed).toMatch(/line 20000\n$/);
      const kept = await output("loud");
      expect(kept.length).toBeLessThanOrEqual(logBytesMax);
      expect(kept.length).toBeGreaterThan(logBytesMax / 2);
      expect(kept).toMatch(/line 20000\n$/);
      expect(await textOf(runtime.logs("loud", { tailBytes: 11 }))).toBe("line 20000\n");
    });

    it.runIf(isIsolated)("runs further programs with input, environment and exit code while it runs", async () => {
      await runtime.ensure(script("execs", `echo own > /own; ${FOREVER}`, { env: { OWN: "mine" } }));
      const command = ["sh", "-c", 'cat; cat /own; echo "$OWN $MORE $FROM_IMAGE"; echo bad >&2; exit 5'];
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
        stdout: "typed\nown\nmine more yes\n",
        stderr: "bad\n",
        exit: { exitCode: 5, signal: null },
      });
      await expect(runtime.exec("execs", ["no-such-program"])).rejects.toMatchObject({ reason: "start_failed" });
      const sleeping = await runtime.exec("execs", ["sleep", "1000"]);
      sleeping.kill("SIGTERM");
      expect(await sleeping.exited).toEqual({ exitCode: null, signal: "SIGTERM" });
      const ended = await runtime.exec("execs", ["sleep", "1000"]);
      await runtime.terminate("execs", 0);
      expect(await ended.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
      await expect(runtime.exec("execs", ["id"])).rejects.toMatchObject({ reason: "not_running" });
    });

    it.runIf(hasTerminals)("gives a further program a terminal", async () => {
      await runtime.ensure(script("terminal", FOREVER));
      const size = "stty size < /dev/pts/0";
      const sized = runtime.gaps.has("terminal_size")
        ? `until ${size} | { read a b; [ $a = 40 ]; }; do sleep 0.01; done; `
        : "";
      const command = ["sh", "-c", `${sized}${size}; read line; echo "read $line"; echo error >&2; cat; exit 3`];
      const options = { terminal: { columns: 100, rows: 40 }, stdin: Readable.from(["typed\n"]) };
      const execution = await runtime.exec("terminal", command, options);
      const [shown, exit] = await Promise.all([textOf(execution.stdout), execution.exited]);
      expect(shown.replaceAll("\r", "")).toMatch(/40 100\n(.*\n)*read typed\nerror\n/);
      expect(exit).toEqual({ exitCode: 3, signal: null });
    });

    it.runIf(hasTerminals)("tells the programs in a terminal its new size, and ends them with the shell", async () => {
      await runtime.ensure(script("resized", FOREVER));
      const stdin = new PassThrough();
      const shell = await runtime.exec("resized", ["sh"], { terminal: { columns: 80, rows: 24 }, stdin });
      let shown = "";
      shell.stdout.on("data", (chunk) => {
        shown += chunk;
      });
      stdin.write('until [ "$(stty size)" = "50 132" ]; do sleep 0.01; done; echo "now $(stty size)"; sleep 4321\n');
      shell.resize({ columns: 132, rows: 50 });
      await waitFor(() => expect(shown).toContain("now 50 132"), { interval: 10 });
      await waitFor(async () => expect(await processesSaying("sleep 4321")).not.toEqual([]), { interval: 10 });
      shell.kill("SIGHUP");
      expect(await shell.exited).toEqual({ exitCode: null, signal: "SIGHUP" });
      await waitFor(async () => expect(await processesSaying("sleep 4321")).toEqual([]), { interval: 10 });
    });

    it.runIf(hasTerminals)("interrupts a program whose output is not read", async () => {
      await runtime.ensure(script("flood", FOREVER));
      const stdin = new PassThrough();
      const options = { terminal: { columns: 80, rows: 24 }, stdin };
      const flood = await runtime.exec("flood", ["sh", "-c", 'while :; do echo "$PATH"; done'], options);
      await waitFor(() => expect(flood.stdout.readableLength).toBeGreaterThan(0), { interval: 10 });
      stdin.write("\x03");
      await expect(flood.exited).resolves.toMatchObject({ exitCode: null, signal: "SIGINT" });
      flood.stdout.destroy();
    });

    it.runIf(hasSnapshots && isIsolated)(
      "starts from a snapshot with the files, links and deletions of the first one",
      async () => {
        const changes = [
          "mkdir -p /state/deep; echo kept > /state/deep/file; ln /state/deep/file /state/hard; ln -s deep /state/soft",
          "rm /bin/tail; rm -r /folder; mkdir /folder; echo new > /folder/new",
        ];
        const seen =
          "cat /state/soft/file /state/hard; echo begin; ls /folder; echo end; ls /bin/tail 2>&1; ls /state; ls -l /state/hard";
        const image = await imageWithFolder();
        await runtime.ensure(script("before", `ls /folder; ${changes.join("; ")}`, { image }));
        expect(await exited("before")).toMatchObject({ exitCode: 0 });
        expect(await output("before")).toBe("old\n");
        await runtime.ensure(script("after", seen, { image, user: "0" }), { restore: runtime.snapshot("before") });
        await exited("after");
        const printed = await output("after");
        expect(printed).toMatch(/^kept\nkept\n/);
        expect(printed).toContain("begin\nnew\nend\n");
        expect(printed).toContain("'/bin/tail': No such file");
        expect(printed).toContain("deep\nhard\nsoft\n-rw-r--r-- 2 ");
      },
    );

    const imageWithFolder = async () => {
      const layers = [shellLayer, await layerOf([{ name: "folder/old", content: "old" }])];
      return { reference: registry.add("with-folder", { layers, config: SHELL_CONFIG }).reference };
    };

    it.runIf(isIsolated)("receives notices in a folder that it cannot change and that is in no snapshot", async () => {
      const attempts = "echo bad > /run/svc/own; rm /run/svc/note.json; ln -s /etc/hosts /run/svc/note.json";
      const wait = "echo ready; while [ ! -e /run/svc/note.json ]; do sleep 0.02; done";
      await runtime.ensure(script("notified", `${wait}; cat /run/svc/note.json; ${attempts}; ls /run/svc; echo end`));
      await said("notified", "ready");
      await runtime.notify("notified", "note.json", "a note\n");
      expect(await exited("notified")).toMatchObject({ exitCode: 0 });
      const printed = await output("notified");
      expect(printed).toMatch(/^ready\na note\n/);
      expect(printed).toMatch(/\nnote\.json\nend\n$/);
      await runtime.notify("notified", "late.json", "ignored");
      await expect(runtime.notify("notified", "../up", "")).resolves.toBeUndefined();
      const seen = script("later", "ls /run/svc; echo end");
      await runtime.ensure(seen, { restore: runtime.snapshot("notified") });
      await exited("later");
      expect(await output("later")).toBe("end\n");
    });

    it.runIf(isIsolated)("starts without the folder of notices if /run of the image is not a folder", async () => {
      const layers = [shellLayer, await layerOf([{ name: "run", content: "a file" }])];
      const image = { reference: registry.add("no-run", { layers, config: SHELL_CONFIG }).reference };
      const started = runtime.ensure(script("no-run", "cat /run", { image }));
      if (runtime.gaps.has("image_without_run")) {
        await expect(started).rejects.toMatchObject({ reason: "start_failed" });
        return;
      }
      await started;
      await exited("no-run");
      expect(await output("no-run")).toBe("a file");
    });

    it.skipIf(runtime?.ports === false)(
      "reaches public addresses by HTTP and nothing else, and is reached on its ports",
      async () => {
        const image = await imageWithPerl();
        const targets = [`${INTERNET_NAME}:443`, "127.0.0.1:443", "169.254.169.254:80", `${INTERNET_NAME}:22`];
        const tunnels = targets.map((target) => `perl -e "$CLIENT" CONNECT ${target}`);
        const programs = [`perl -e "$CLIENT" GET http://${INTERNET_NAME}/path?a=b`, ...tunnels];
        const printed = `echo $NO_PROXY $https_proxy; ${programs.join("; ")}; exec perl -e "$PERL_SERVER"`;
        await runtime.ensure(
          script("online", printed, {
            image,
            network: "http",
            env: { PERL_SERVER, CLIENT: PERL_CLIENT },
          }),
        );
        await said("online", "serving");
        const lines = (await output("online")).split("\n");
        expect(lines).toEqual([
          "localhost,127.0.0.1,::1 http://127.0.0.1:3127",
          `HTTP/1.1 200 OK GET /path?a=b for ${INTERNET_NAME}`,
          `HTTP/1.1 200 Connection Established GET / for tunnel`,
          expect.stringMatching(/^HTTP\/1.1 403 Forbidden svc: 127\.0\.0\.1 .*public addresses/),
          expect.stringMatching(/^HTTP\/1.1 403 Forbidden svc: 169\.254\.169\.254 .*public addresses/),
          expect.stringMatching(/^HTTP\/1.1 403 Forbidden svc: Port 22 is not allowed/),
          "serving",
          "",
        ]);
        const connection = await runtime.connect("online", 8000);
        connection.write("hello\n");
        expect(await textOf(connection)).toBe("served hello\n");
        await expect(runtime.connect("online", 8001)).rejects.toMatchObject({ reason: "port_closed" });
        await runtime.terminate("online", 0);
        await expect(runtime.connect("online", 8000)).rejects.toMatchObject({ reason: "not_running" });
      },
    );

    const imageWithPerl = async () => {
      const perl = await programLayer(["perl"]);
      if (typeof perl === "string") throw new Error(perl);
      return { reference: registry.add("with-perl", { layers: [shellLayer, perl], config: SHELL_CONFIG }).reference };
    };

    it.skipIf(!runtime?.volumes)("has a volume whose files it finds again, on another node too", async () => {
      const volumes = runtime.volumes as NonNullable<typeof runtime.volumes>;
      const bytes = 32 * 1024 * 1024;
      const path = "/made/volume";
      await volumes.make("volume", { bytes });
      const fill = volumes.isEnforced ? "cat /dev/zero > full; rm full; " : "";
      const odd = "ln file hard; ln -s / up; ln -s ../../../../.. out; echo named > .wh.file; mkdir deep";
      const write = `cd ${path}; ${fill}echo kept > file; ${odd}; exit 0`;
      const [volume, copy] = [
        { id: "volume", path },
        { id: "copy", path },
      ];
      await runtime.ensure(
        script("writes", write, { volumes: [volume], user: "1000:1000", limits: { diskBytes: bytes / 2 } }),
      );
      expect(await exited("writes")).toMatchObject({ exitCode: 0 });
      if (volumes.isEnforced) expect(await output("writes")).toContain("No space left on device");
      expect(await textOf(runtime.snapshot("writes"))).not.toContain("kept");
      await runtime.remove("writes");
      await volumes.make("volume", { bytes });
      await volumes.make("copy", { bytes, restore: volumes.snapshot("volume") });
      const read = `cd ${path}; cat hard .wh.file; ls -ln file; ls out/made up/made; echo more >> file`;
      for (const [id, mounted] of Object.entries({ again: volume, elsewhere: copy })) {
        await runtime.ensure(script(id, read, { volumes: [mounted], user: "1000:1000" }));
        expect(await exited(id)).toMatchObject({ exitCode: 0 });
        expect(await output(id)).toMatch(/^kept\nnamed\n-rw-r--r-- 2 \d+ \d+ 5 .*\n(out|up)\/made:\nvolume\n/);
      }
      await runtime.remove("again");
      const refused = `cat ${path}/hard; echo x > ${path}/file; rm ${path}/hard; echo shared > /other/new; echo done`;
      const mounted = [
        { ...volume, readOnly: true },
        { ...copy, path: "/other" },
      ];
      await runtime.ensure(script("both", refused, { volumes: mounted }));
      await exited("both");
      expect((await output("both")).match(/Read-only file system/g)).toHaveLength(2);
      expect(await output("both")).toMatch(/^kept\n(.*\n)*done\n$/);
      const within = { ...copy, path: `${path}/within` };
      await expect(runtime.ensure(script("within", "echo no", { volumes: [volume, within] }))).rejects.toMatchObject({
        reason: "invalid_allocation",
      });
      await runtime.remove("both");
      await volumes.grow("copy", 2 * bytes);
      if (volumes.isEnforced) {
        const larger = `cd ${path}; cat /dev/zero > larger; ls -ln larger`;
        await runtime.ensure(script("larger", larger, { volumes: [copy] }));
        await exited("larger");
        const [, size] = / (\d{8,}) /.exec(await output("larger")) ?? [];
        expect(Number(size)).toBeGreaterThan(1.4 * bytes);
      }
      await runtime.remove("larger");
      const lost = script("lost", "echo no", { volumes: [{ id: "unknown", path }] });
      await expect(runtime.ensure(lost)).rejects.toMatchObject({ reason: "volume_missing" });
      await runtime.remove("elsewhere");
      for (const id of ["volume", "copy"]) await volumes.remove(id);
      expect((await volumes.list()).ids).toEqual([]);
      const mounts = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
      expect(mounts.filter((mount) => mount.includes(dataDir) && mount.includes("/volumes/"))).toEqual([]);
    });

    it.runIf(hasSnapshots)("is interrupted while it is prepared", async () => {
      const never = new PassThrough();
      const start = runtime.ensure(script("endless", "echo no"), { restore: never });
      const failed = expect(start).rejects.toMatchObject({ reason: "terminated" });
      await waitFor(async () => expect(await runtime.observe("endless")).toEqual({ state: "preparing" }));
      expect(await runtime.terminate("endless", 30)).toEqual({ state: "absent" });
      await failed;
      expect(never.destroyed).toBe(true);
    });

    it("leaves no process, mount, control group or file behind when it is removed", async () => {
      await runtime.ensure(script("gone", `sleep 987654 & echo ready; ${FOREVER}`, { limits: { cpuMillis: 500 } }));
      await said("gone", "ready");
      expect((await processesSaying("987654")).length).toBeGreaterThan(0);
      expect(await tracesOf("gone")).toHaveLength(contract.traces);
      await runtime.remove("gone");
      expect(await processesSaying("987654")).toEqual([]);
      expect(await tracesOf("gone")).toEqual([]);
      expect(await runtime.observe("gone")).toEqual({ state: "absent" });
    });
  });
}
