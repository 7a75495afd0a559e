import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { programLayer } from "../../../test/factories/image-layers";
import { runtimeScene, SHELL_CONFIG } from "../../../test/factories/runtime-scene";

const scene = await runtimeScene();
const perl = await programLayer(["sh", "perl"]);
const why = [scene, perl].find((one) => typeof one === "string") ?? "";

const [EPERM, ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT] = [1, 38, 93, 97];
const isArm = process.arch === "arm64";
const on = (x64: number, arm64: number) => (isArm ? arm64 : x64);

/** Names, calls with three arguments, and the error that programs get; 0: none. */
const CALLS: [string, [number, number, number, number], number][] = [
  ["socket of AF_UNIX", [on(41, 198), 1, 1, 0], 0],
  ["socket of AF_INET", [on(41, 198), 2, 1, 0], 0],
  ["socket of AF_INET6", [on(41, 198), 10, 2, 0], 0],
  ["socket of NETLINK_ROUTE", [on(41, 198), 16, 3, 0], 0],
  ["socket of NETLINK_NETFILTER", [on(41, 198), 16, 3, 12], EPROTONOSUPPORT],
  ["socket of AF_VSOCK", [on(41, 198), 40, 1, 0], EAFNOSUPPORT],
  ["socket of AF_ALG", [on(41, 198), 38, 5, 0], EAFNOSUPPORT],
  ["socket of AF_TIPC", [on(41, 198), 30, 5, 0], EAFNOSUPPORT],
  ["pair of AF_TIPC", [on(53, 199), 30, 5, 0], EAFNOSUPPORT],
  ["clone with a user namespace", [on(56, 220), 0x10000000, 0, 0], EPERM],
  ["clone3", [435, 0, 0, 0], ENOSYS],
  ["personality of another system", [on(135, 92), 0x0005, 0, 0], EPERM],
  ["personality, which is asked for", [on(135, 92), 0xffffffff, 0, 0], 0],
  ["io_uring_setup", [425, 0, 0, 0], EPERM],
  ["perf_event_open", [on(298, 241), 0, 0, 0], EPERM],
  ["userfaultfd", [on(323, 282), 0, 0, 0], EPERM],
  ["kcmp", [on(312, 272), 1, 1, 0], EPERM],
  ["bpf", [on(321, 280), 0, 0, 0], EPERM],
  ["keyctl", [on(250, 219), 0, 0, 0], EPERM],
  ["syslog", [on(103, 116), 3, 0, 0], EPERM],
  ["fanotify_init", [on(300, 262), 0, 0, 0], EPERM],
  ["mount", [on(165, 40), 0, 0, 0], EPERM],
  ["statmount", [457, 0, 0, 0], EPERM],
  ["file_setattr, the newest known one", [469, 0, 0, 0], EPERM],
  ["the first one that is newer", [470, 0, 0, 0], ENOSYS],
  ["one of the far future", [1000, 0, 0, 0], ENOSYS],
  ["one of x32", [0x40000000 + 39, 0, 0, 0], ENOSYS],
  ["getpid", [on(39, 172), 0, 0, 0], 0],
  ["memfd_create", [on(319, 279), 0, 0, 0], 14],
];

describe.skipIf(why !== "")(`the filter of system calls${why && ` (skipped: ${why})`}`, () => {
  if (typeof scene === "string" || typeof perl === "string") return;
  const { runtime, registry, output, exited, close, script } = scene;
  afterAll(close);

  it("lets a workload make the calls that programs need, and no others, however new", async () => {
    const image = { reference: registry.add("perl", { layers: [perl], config: SHELL_CONFIG }).reference };
    const lines = CALLS.map(
      ([, [number, ...rest]]) => `($a, $b, $c, $d) = (${[number, ...rest].join(", ")});
      print((syscall($a, $b, $c, $d) == -1 ? $! + 0 : 0), "\\n");`,
    );
    await runtime.ensure(script("calls", "", { image, command: ["perl", "-e", lines.join("\n")] }));
    await exited("calls");
    const errors = (await output("calls")).trim().split("\n").map(Number);
    expect(CALLS.map(([name], i) => [name, errors[i]])).toEqual(CALLS.map(([name, , error]) => [name, error]));
  });

  it("is beside a limit that keeps the memory of programs from the machine's collector of core dumps", async () => {
    const read = 'while read line; do case $line in "Max core"*) echo $line;; esac; done < /proc/self/limits';
    await runtime.ensure(script("core", read));
    await exited("core");
    expect(await output("core")).toBe("Max core file size 1 1 bytes\n");
  });

  it("is the same on both architectures, as far as they have the same calls", () => {
    const printed = execFileSync(
      "perl",
      [
        "-e",
        `require "./system-calls.pl"; require "./system-call-filter.pl";
        for my $machine (qw(x86_64 aarch64)) {
            my $calls = SystemCallNumbers::allowed($machine);
            my %numbers = map { $_ => 1 } values %$calls;
            print join(" ", $machine, scalar(keys %$calls) - keys %numbers, map { $_ . "=" . ($calls->{$_} // "") }
                qw(read openat futex clone socket mmap open keyctl)), "\\n";
            die if grep { $_->[1] > 255 || $_->[2] > 255 } SystemCallFilter::program($machine);
        }`,
      ],
      { cwd: import.meta.dirname, encoding: "utf8" },
    );
    expect(printed.split("\n")).toEqual([
      "x86_64 0 read=0 openat=257 futex=202 clone=56 socket=41 mmap=9 open=2 keyctl=",
      "aarch64 0 read=63 openat=56 futex=98 clone=220 socket=198 mmap=222 open= keyctl=",
      "",
    ]);
  });
});
