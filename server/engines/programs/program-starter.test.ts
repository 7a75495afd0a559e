import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { buffer, text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/factories/wait-for";
import { isAlive, processMark } from "../file-lock.mjs";
import type { Program } from "./program";
import type { StartProgram } from "./program-starter";
import { runProgram } from "./run-program";
import { startProgram } from "./start-program";

const STRANGER = `use Socket; $| = 1; socket(my $stream, PF_UNIX, SOCK_STREAM, 0) or die $!;
  connect($stream, pack_sockaddr_un("\\0$ARGV[0]")) or die $!; print "connected\\n"; <$stream>; print "closed\\n"`;
const STREAMS = ["input", "output", "output"] as const;
const markOf = (pid: number) => ({ pid, mark: processMark(pid) ?? "" });
const missing = process.platform === "linux" ? "" : " (skipped: it needs Linux)";

const shell = (script: string, more: Partial<StartProgram> = {}): Promise<Program> =>
  startProgram({ program: "sh", args: ["-c", script], descriptors: STREAMS, ...more });

/** What it prints and how it ends, without an input. */
async function ending(program: Program) {
  program.input(0).end();
  const [stdout, stderr, exit] = await Promise.all([text(program.output(1)), text(program.output(2)), program.exited]);
  return { stdout, stderr, exit };
}

describe.skipIf(missing !== "")(`programs that a helper process starts${missing}`, () => {
  it("get arguments, environment and working directory, and nothing of svc's environment", async () => {
    const args = ["", "two words", "ä\n", "=", "\u0001"];
    const script = 'printf "%s|" "$#" "$@"; pwd; env | grep -v -e ^PWD= -e ^SHLVL= -e ^_=';
    const env = { PATH: "/usr/bin:/bin", EMPTY: "", ADDED: "a=b\nc" };
    const program = await startProgram({
      program: "sh",
      args: ["-c", script, "sh", ...args],
      env,
      cwd: "/proc",
      descriptors: STREAMS,
    });
    const { stdout, exit } = await ending(program);
    expect(exit).toEqual({ exitCode: 0, signal: null });
    expect(stdout).toContain(`5|${args.join("|")}|/proc\n`);
    expect(stdout.split("/proc\n")[1]?.trim().split("\n").sort()).toEqual(
      ["PATH=/usr/bin:/bin", "EMPTY=", "ADDED=a=b", "c"].sort(),
    );
    await expect(shell("true", { args: ["-c", "true\0id=1"] })).rejects.toThrow("NUL");
  });

  it("read their input to its end, whatever its bytes, and write outputs of any size", async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
    const program = await shell("cat; echo ended >&2");
    program.input(0).end(bytes);
    const [output, errors] = await Promise.all([buffer(program.output(1)), text(program.output(2)), program.exited]);
    expect(output.equals(bytes)).toBe(true);
    expect(errors).toBe("ended\n");
  });

  it("end by SIGPIPE when their output is closed, and their closed input is an error for the writer", async () => {
    // Perl ends by SIGPIPE, which is not ignored.
    const writing = await startProgram({
      program: "perl",
      args: ["-e", "print 'x' x 65536 while 1"],
      descriptors: STREAMS,
    });
    writing.output(1).destroy();
    expect(await writing.exited).toEqual({ exitCode: null, signal: "SIGPIPE" });
    const ended = await shell("exec <&-; echo closed; exec sleep 60");
    await once(ended.output(1).resume(), "data");
    // The connection may have been closed by then.
    const failure = new Promise((resolve) => ended.input(0).on("error", resolve).write("unread", resolve));
    expect(["EPIPE", "ERR_STREAM_DESTROYED"]).toContain(((await failure) as { code?: string } | null)?.code);
    ended.kill("SIGKILL");
    expect(await ended.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  it("report how they end: exit codes, signals, and why they could not be run", async () => {
    const exitOf = async (script: string) => (await ending(await shell(script))).exit;
    expect(await exitOf("exit 0")).toEqual({ exitCode: 0, signal: null });
    expect(await exitOf("exit 255")).toEqual({ exitCode: 255, signal: null });
    expect(await exitOf("kill -TERM $$")).toEqual({ exitCode: null, signal: "SIGTERM" });
    await expect(runProgram("/nonexistent/program", [])).rejects.toThrow(
      "/nonexistent/program: No such file or directory",
    );
    await expect((await shell("true", { cwd: "/nonexistent" })).exited).rejects.toThrow("/nonexistent: No such file");
    await expect(runProgram("sh", ["-c", "echo why >&2; exit 3"])).rejects.toThrow(/^why$/);
    await expect(runProgram("sh", ["-c", "exec cat /dev/zero"])).rejects.toThrow("sh prints more than 67108864 bytes");
  });

  it("lead a session of their own, with the signals of a new process", async () => {
    const { stdout } = await ending(await shell("cat /proc/self/stat /proc/self/status; echo $$"));
    const [stat = "", ...status] = stdout.trim().split("\n");
    const pid = status.at(-1);
    expect(
      stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .slice(2, 4),
    ).toEqual([pid, pid]);
    for (const name of ["SigBlk", "SigIgn", "SigCgt"]) expect(status).toContain(`${name}:\t0000000000000000`);
  });

  it("that start together have their own streams, and no other descriptors", async () => {
    const list = `$| = 1; open(my $more, "<&=", 3); open(my $report, ">&=", 4); print STDERR my $line = <STDIN>; print $line;
      for (0 .. 1023) { my $file = readlink "/proc/self/fd/$_"; print {$report} "$_ $file\n" if defined $file }
      print {$report} <$more>;`;
    const descriptors = [...STREAMS, "input", "output"] as const;
    const start = () => startProgram({ program: "perl", args: ["-e", list], descriptors });
    const all = await Promise.all(Array.from({ length: 100 }, start));
    const ends = all.map(async (program, index) => {
      program.input(3).end(`more ${index}\n`);
      program.input(0).end(`line ${index}\n`);
      const outputs = [1, 2, 4].map((descriptor) => text(program.output(descriptor)));
      expect(await program.exited).toEqual({ exitCode: 0, signal: null });
      return Promise.all(outputs);
    });
    const files = new Set<string>();
    for (const [index, [stdout, stderr, report = ""]] of (await Promise.all(ends)).entries()) {
      expect([stdout, stderr]).toEqual([`line ${index}\n`, `line ${index}\n`]);
      const lines = report.trim().split("\n");
      expect(lines.pop()).toBe(`more ${index}`);
      expect(lines.map((line) => line.split(" ")[0])).toEqual(["0", "1", "2", "3", "4"]);
      for (const line of lines) files.add(line.slice(2));
    }
    expect(files.size).toBe(500);
    const helper = Number(await runProgram("sh", ["-c", "echo $PPID"]));
    // Its own are below 24.
    expect(Math.max(...readdirSync(`/proc/${helper}/fd`).map(Number))).toBeLessThan(24);
  });

  it("have no stream of another process than svc", async () => {
    const helper = Number(await runProgram("sh", ["-c", "echo $PPID"]));
    const name = readFileSync(`/proc/${helper}/cmdline`, "utf8").split("\0")[2] ?? "";
    const stranger = spawn("perl", ["-e", STRANGER, name], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: stranger.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("connected");
    expect((await lines.next()).value).toBe("closed");
    expect(String(await runProgram("sh", ["-c", "cat; echo printed"], "read\n"))).toBe("read\nprinted\n");
  });

  it("have files of the machine as descriptors", async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "svc-starter-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const log = path.join(dir, "log");
    for (const line of ["one", "two"]) {
      const program = await shell(`cat; echo ${line} >&2`, { descriptors: ["none", "output", { append: log }] });
      expect(await text(program.output(1))).toBe("");
      await program.exited;
    }
    expect(readFileSync(log, "utf8")).toBe("one\ntwo\n");
    const reading = await shell("cat", { descriptors: [{ read: log }, "output", "output"] });
    expect(await text(reading.output(1))).toBe("one\ntwo\n");
  });

  it("go on when the helper is killed, and the next ones are started by another", async () => {
    const program = await shell("echo $PPID; exec cat");
    const output = program.output(1);
    program.output(2).resume();
    const helper = Number(String(await once(output.resume(), "data")));
    process.kill(helper, "SIGKILL");
    // This process has not noticed it when it starts the next one.
    while (processMark(helper) !== undefined);
    expect(Number(await runProgram("sh", ["-c", "echo $PPID"]))).not.toBe(helper);
    program.input(0).write("still there");
    expect(String(await once(output, "data"))).toBe("still there");
    program.input(0).end();
    await expect(program.exited).rejects.toThrow("The process that starts programs has ended");
    expect(output.readableEnded).toBe(true);
  });
});

describe.skipIf(missing !== "")(`a process that starts programs${missing}`, () => {
  const builds = path.resolve(import.meta.dirname, "../../../.build/test");
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(path.join(builds, "starter-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a piece of TypeScript in a process of its own. */
  async function startProcess(contents: string) {
    const outfile = path.join(folder, `${randomUUID()}.mjs`);
    const imports = 'import { startProgram } from "./start-program"; import { runProgram } from "./run-program";';
    await build({
      stdin: { contents: `${imports}\n${SLEEPER}\n${contents}`, resolveDir: import.meta.dirname, loader: "ts" },
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      logLevel: "warning",
    });
    const child = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "inherit"] });
    const exit = once(child, "exit");
    const lines = createInterface({ input: child.stdout });
    const [line] = await once(lines, "line");
    const [sleeper = 0, helper = 0] = String(line).split(" ").map(Number);
    onTestFinished(() => void process.kill(sleeper, "SIGKILL"));
    return { child, exit, lines, sleeper: markOf(sleeper), helper: markOf(helper) };
  }

  it("takes the helper with it when it is killed, but none of its programs", async () => {
    const { child, exit, sleeper, helper } = await startProcess("setInterval(() => {}, 1000);");
    expect([isAlive(helper), isAlive(sleeper)]).toEqual([true, true]);
    child.kill("SIGKILL");
    await exit;
    await waitFor(() => expect(isAlive(helper)).toBe(false));
    expect(isAlive(sleeper)).toBe(true);
  });

  it("ends when it has nothing to do, but not before it knows how a program ends", async () => {
    const silent = 'await runProgram("sh", ["-c", "exec >&- 2>&-; sleep 0.5"]); console.log("ended");';
    const { exit, lines, sleeper, helper } = await startProcess(silent);
    expect(await once(lines, "line")).toEqual(["ended"]);
    expect(await exit).toEqual([0, null]);
    await waitFor(() => expect(isAlive(helper)).toBe(false));
    expect(isAlive(sleeper)).toBe(true);
  });
});

const SLEEPER = `
  const sleeper = await startProgram({ program: "sleep", args: ["456"], descriptors: ["none", "none", "none"] });
  sleeper.unref();
  console.log(await sleeper.started, Number(await runProgram("sh", ["-c", "echo $PPID"])));`;
