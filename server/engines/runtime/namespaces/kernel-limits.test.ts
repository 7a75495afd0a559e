import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { programLayer } from "../../../../test/factories/image-layers";
import { cgroupsOf, runtimeScene, SHELL_CONFIG } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { canLimitWorkloads } from "../../../../test/factories/workload-node";
import { checkKernelLimits, processesOfHost, readKernelState } from "./kernel-limits";

const scene = await runtimeScene();
const perl = await programLayer(["sh", "perl"]);
const why = [scene, perl].find((one) => typeof one === "string") ?? (process.getuid?.() === 0 ? "" : "it needs root");

/** By architecture: inotify_init1, mq_open, timer_create, sendmsg, fcntl, prlimit64, shmget. */
const CALLS = process.arch === "arm64" ? [26, 180, 107, 211, 25, 261, 194] : [294, 240, 222, 46, 72, 302, 29];

/**
 * What the kernel counts by user or in all: each line has a name and a piece of Perl that takes one, and is true. They are
 * kept until the workload ends.
 */
const TAKERS: Record<string, string> = {
  inotify_instances: "syscall($inotify, 0) >= 0",
  // Of 1 MiB; a new one has 64 KiB, or less if the user has too much in pipes.
  pipes:
    "pipe($r, $w) && syscall($fcntl, fileno $w, 1032, 0) == 65536 && syscall($fcntl, fileno $w, 1031, 1 << 20) > 0",
  message_queues: "my $name = 'q' . $n; syscall($mq_open, $name, 0102, 0600, 0) >= 0",
  pending_signals: "$timer = pack 'q', 0; syscall($timer_create, 1, 0, $timer) == 0",
  descriptors_in_flight: "socketpair($r, $w, 1, 1, 0) && pass($r)",
  shared_memory: "syscall($shmget, 0, 4096, 0600) >= 0",
  terminals: "sysopen($r, '/dev/ptmx', 2)",
  processes: "defined($pid = fork()) && ($pid || close($done_end) && sleep 1000)",
};

const program = (most: number, takers = TAKERS) => String.raw`
$| = 1;
my ($inotify, $mq_open, $timer_create, $sendmsg, $fcntl, $prlimit, $shmget) = (${CALLS.join(", ")});
my (@kept, $n);
# RLIMIT_NOFILE, which is also the limit of descriptors in flight, and RLIMIT_SIGPENDING.
for my $resource (7, 11) {
    my $limit = pack "Q2", 4096, 4096;
    my $number = $resource;
    syscall($prlimit, 0, $number, $limit, 0) == 0 or die "prlimit64: $!";
}
# 200 descriptors in one message: struct msghdr with struct cmsghdr.
sub pass {
    my ($socket) = @_;
    my $control = pack("Q l l l*", 16 + 4 * 200, 1, 1, (0) x 200);
    my $byte = "x";
    my $iov = pack "P Q", $byte, 1;
    my $message = pack "Q L x4 P Q P Q l x4", 0, 0, $iov, 1, $control, length $control, 0;
    return syscall($sendmsg, fileno $socket, $message, 0) >= 0;
}
sub each_in_a_process {
    my ($name, $take) = @_;
    pipe(my $done, our $done_end);
    if (fork() == 0) {
        for ($n = 0; $n < ${most}; $n++) { $take->() or last }
        print "$name $n\n";
        close $done_end;
        sleep 1000;
    }
    close $done_end;
    readline $done;
}
${Object.entries(takers)
  .map(
    ([name, taken]) =>
      `each_in_a_process("${name}", sub { my ($r, $w, $timer, $pid); my $taken = do { ${taken} }; push @kept, $r, $w; $taken });`,
  )
  .join("\n")}
print "all\n";
sleep 1000;`;

/** What svc uses; queues and segments would outlive the test. */
const { message_queues: _queues, shared_memory: _segments, ...OF_ROOT } = TAKERS;

/** The same outside of workloads, as the user of svc. */
async function takenByRoot(most: number): Promise<Record<string, number>> {
  const child = spawn("perl", ["-e", program(most, OF_ROOT)], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    printed += chunk;
    if (printed.endsWith("all\n")) break;
  }
  process.kill(-(child.pid ?? 0), "SIGKILL");
  return countsOf(printed);
}

function countsOf(printed: string): Record<string, number> {
  const lines = printed.trim().split("\n").slice(0, -1);
  return Object.fromEntries(lines.map((line) => [line.split(" ")[0], Number(line.split(" ")[1])]));
}

describe.skipIf(why !== "")(`limits of the kernel that are no one workload's${why && ` (skipped: ${why})`}`, () => {
  if (typeof scene === "string" || typeof perl === "string") return;
  const { runtime, registry, output, close, script } = scene;
  afterAll(close);
  const image = { reference: registry.add("perl", { layers: [perl], config: SHELL_CONFIG }).reference };
  const limits = { pids: 200, memoryBytes: 512 * 1024 ** 2 };
  const start = (id: string, most: number) =>
    runtime.ensure(script(id, "", { image, command: ["perl", "-e", program(most)], limits }));
  const taken = async (id: string) => {
    await waitFor(async () => expect(await output(id)).toContain("all\n"), { interval: 20 });
    return countsOf(await output(id));
  };

  it("A takes all it can of each; B and svc still get theirs", async () => {
    await start("greedy", 10_000);
    const greedy = await taken("greedy");
    for (const name of Object.keys(TAKERS)) expect(greedy[name], name).toBeLessThan(10_000);
    await start("modest", 8);
    expect(await taken("modest")).toEqual(Object.fromEntries(Object.keys(TAKERS).map((name) => [name, 8])));
    expect(await takenByRoot(8)).toEqual(Object.fromEntries(Object.keys(OF_ROOT).map((name) => [name, 8])));
    await Promise.all(["greedy", "modest"].map((id) => runtime.remove(id)));
  });

  it.runIf(isWritable("/proc/sys/kernel/pid_max"))("svc raises what its workloads share when it starts", async () => {
    const low = checkKernelLimits(await readKernelState()).filter(({ isMet }) => !isMet);
    expect(low.map(({ limit }) => limit)).toEqual([]);
  });

  it.runIf(canLimitWorkloads())(
    "the cores of workloads count less than svc itself where they do not suffice",
    async () => {
      await runtime.ensure(script("busy", "sleep 1000", { limits: { cpuMillis: 500 } }));
      const read = (name: string) => async (folder: string) => readFile(`${folder}/${name}`, "utf8").catch(() => "");
      const folders = await cgroupsOf("busy");
      const texts = await Promise.all([...folders.map(read("cpu.shares")), ...folders.map(read("cpu.weight"))]);
      // Of 1,024 and 100, which a group has by default.
      expect(["128", "13"]).toEqual(
        expect.arrayContaining(texts.filter((text) => text !== "").map((text) => text.trim())),
      );
      expect(texts.join("")).not.toBe("");
      await runtime.remove("busy");
    },
  );

  it.runIf(canLimitWorkloads())("a workload has the share of the node's processes that its memory is", async () => {
    const limits = { memoryBytes: 64 * 1024 ** 2 };
    await runtime.ensure(script("small", "sleep 1000", { limits }));
    const found = (await cgroupsOf("small")).map((folder) => readFile(`${folder}/pids.max`, "utf8").catch(() => ""));
    const [pids] = (await Promise.all(found)).filter((text) => text !== "");
    const share = (limits.memoryBytes / os.totalmem()) * (await processesOfHost());
    expect(Number(pids)).toBe(Math.min(4096, Math.max(16, Math.floor(share))));
    await runtime.remove("small");
  });
});

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
