import { describe, expect, it } from "vitest";
import { checkKernelLimits, type KernelState, processesForWorkloads, readKernelState } from "./kernel-limits";
import { processLimit } from "./process-limit";

const GIB = 1024 ** 3;
const NAMES = checkKernelLimits(await readKernelState()).map(({ limit }) => limit);
const whole: KernelState = {
  release: "6.1.0-18-amd64",
  commandLine: "BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet",
  controllers: ["cpuset", "cpu", "io", "memory", "pids"],
  settings: new Map(NAMES.map((name) => [name, String(2n ** 63n - 1n)])),
};
const missing = (change: Partial<KernelState>) =>
  checkKernelLimits({ ...whole, ...change })
    .filter(({ isMet }) => !isMet)
    .map(({ limit, isRequired }) => [limit, isRequired]);
const having = (name: string, value: string | undefined) => ({ settings: new Map([...whole.settings, [name, value]]) });

describe("the limits of the kernel that svc expects", () => {
  it.each<[string, Partial<KernelState>, [string, boolean][]]>([
    ["all", {}, []],
    ["an old kernel", { release: "5.15.0-100-generic" }, [["Linux", true]]],
    ["the first one that maps ids in overlays", { release: "5.19.0" }, []],
    ["no controller of processes", { controllers: ["cpu", "memory"] }, [["control groups", true]]],
    [
      "memory that is not charged",
      { commandLine: "quiet cgroup.memory=nosocket,nokmem" },
      [["kernel memory of control groups", true]],
    ],
    ["few process ids", having("kernel.pid_max", "32768"), [["kernel.pid_max", true]]],
    ["few descriptors", having("fs.file-max", "2466177"), [["fs.file-max", true]]],
    ["no user namespaces", having("user.max_user_namespaces", "0"), [["user.max_user_namespaces", true]]],
    ["a setting that the kernel lacks", having("kernel.pty.max", undefined), [["kernel.pty.max", false]]],
    ["pipes without a limit", having("fs.pipe-user-pages-soft", "0"), []],
  ])("%s", (_name, change, expected) => {
    expect(missing(change)).toEqual(expected);
  });

  it("come with what was found, what is expected and how to set it", () => {
    const [low] = checkKernelLimits({ ...whole, ...having("kernel.pid_max", "32768") }).filter(({ isMet }) => !isMet);
    expect(low).toMatchObject({
      found: "32768",
      expected: "4194304 or more",
      fix: "sysctl -w kernel.pid_max=4194304, and the same in /etc/sysctl.d/90-svc.conf",
    });
    expect(checkKernelLimits(whole).every(({ fix }) => fix === "")).toBe(true);
  });
});

describe("the processes of all workloads together", () => {
  it.each([
    [32_768, 64 * GIB],
    [4_194_304, 64 * GIB],
    [524_288, 2048 * GIB],
  ])("with %i of the node, leave the rest to svc for workloads of any size", (total, memoryBytes) => {
    const node = { processes: processesForWorkloads(total), memoryBytes };
    expect(total - node.processes).toBeGreaterThanOrEqual(Math.min(8192, total / 4));
    for (const each of [512 * 1024 ** 2, GIB, 8 * GIB, 64 * GIB]) {
      const pods = Math.floor(memoryBytes / each);
      const all = pods * processLimit({ memoryBytes: each }, node);
      // The sum of the memory of pods is never above that of the node.
      expect(all, `${pods} pods`).toBeLessThanOrEqual(Math.max(node.processes, pods * 16));
    }
  });

  it("are those that were asked for where the node has enough, and never more", () => {
    const node = { processes: processesForWorkloads(4_194_304), memoryBytes: 64 * GIB };
    expect(processLimit({ memoryBytes: GIB }, node)).toBe(4096);
    expect(processLimit({ memoryBytes: GIB, pids: 1024 }, node)).toBe(1024);
    expect(processLimit({ memoryBytes: 1024 ** 2 }, node)).toBe(63);
    expect(processLimit({}, node)).toBe(4096);
  });
});
