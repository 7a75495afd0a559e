import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runtimeScene } from "../../../test/factories/runtime-scene";
import { canLimitWorkloads } from "../../../test/factories/workload-node";
import { volumePathProblem } from "../runtime/volume-path";

const scene = await runtimeScene();
const why = typeof scene === "string" ? scene : "";
afterAll(() => (typeof scene === "string" ? undefined : scene.close()));

describe.skipIf(why !== "")(`the root file system of a workload${why && ` (skipped: ${why})`}`, () => {
  if (typeof scene === "string") return;
  const { runtime, script, output, exited } = scene;

  it("tells nothing of the disks, keys and mounts of other workloads and of the machine", async () => {
    await runtime.ensure(script("other", "sleep 1000"));
    const files = "/proc/keys /proc/key-users /proc/diskstats /proc/partitions /proc/kallsyms /proc/timer_list";
    const folders = "/proc/fs /sys/fs /sys/dev/block /sys/devices/virtual/block /sys/devices/virtual/bdi /sys/firmware";
    const lines = [
      `cat ${files}`,
      `for folder in ${folders}; do ls $folder; done`,
      // The paths of the disks of all workloads.
      "cat /sys/block/*/loop/backing_file",
      "echo x > /proc/sysrq-trigger",
      "ls /sys/devices/system/cpu/cpu0 > /dev/null && cat /proc/self/mountinfo && echo whole",
    ];
    await runtime.ensure(script("curious", lines.join("; ")));
    await exited("curious");
    const printed = await output("curious");
    expect(printed).toMatch(/whole\n$/);
    // What is left are errors, and the mounts of the workload itself.
    const told = printed
      .split("\n")
      .filter((line) => line !== "" && !/^(\d+ \d+ |cat: |ls: |\/bin\/sh: |whole)/.test(line));
    expect(told).toEqual([]);
    expect(printed).not.toContain("workloads/other");
    await Promise.all(["other", "curious"].map((id) => runtime.remove(id)));
  });
});

describe.skipIf(why !== "")(`the mounts of a workload${why && ` (skipped: ${why})`}`, () => {
  if (typeof scene === "string") return;
  const { runtime, script, output, exited, dataDir } = scene;

  it("tell nothing of the folders of the machine, with a volume and notices, which it reads as they are written", async () => {
    await runtime.volumes?.make("vol_told", { bytes: 64 * 1024 * 1024 });
    const lines = [
      "until cat /run/svc/first.json; do sleep 0.05; done 2> /dev/null",
      "(echo x > /run/svc/own) 2> /dev/null || echo unwritable",
      "cat /proc/self/mountinfo /proc/mounts /proc/1/mounts",
      "until cat /run/svc/second.json; do sleep 0.05; done 2> /dev/null; cat /run/svc/first.json; ls -A /run/svc",
    ];
    // For an ordinary user a volume is a folder of the machine, whose path is told.
    const volumes = canLimitWorkloads() ? [{ id: "vol_told", path: "/volume" }] : [];
    await runtime.ensure(script("told", lines.join("; "), { volumes }));
    await runtime.notify("told", "first.json", "one ");
    await expect.poll(() => output("told")).toMatch(/ \/run\/svc /);
    await runtime.notify("told", "first.json", "other ");
    await runtime.notify("told", "second.json", "two ");
    await exited("told");
    const printed = await output("told");
    expect(printed).toMatch(/^one unwritable\n/);
    expect(printed).toMatch(/two other first\.json\nsecond\.json\n$/);
    expect(printed).toMatch(/ \/ \/run\/svc ro,nosuid,nodev,noexec\S* - tmpfs tmpfs /);
    const parts = dataDir.split("/").slice(2);
    expect([...parts, "workloads", "volumes/", "notices"].filter((part) => printed.includes(part))).toEqual([]);
    await runtime.remove("told");
    await runtime.volumes?.remove("vol_told");
  });
});

describe("a mount point", () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "svc-mount-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  const perl = (code: string) =>
    execFileSync("perl", ["-e", `require "./system-calls.pl"; require "./mount-root.pl"; ${code}`], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
  const open = `open(my $root, "<", "${dir}") or die;`;

  it("is made and opened without following a link, whenever somebody puts one there", () => {
    mkdirSync(path.join(dir, "folder"));
    symlinkSync("/etc", path.join(dir, "out"));
    symlinkSync("folder", path.join(dir, "within"));
    const opened = (name: string) =>
      perl(`${open} print eval { readlink SystemCalls::path_of(SystemCalls::open_beneath($root, "${name}")) } // $@`);
    expect(opened("folder")).toBe(path.join(dir, "folder"));
    expect(opened("out")).toMatch(/^openat2: Too many levels of symbolic links/);
    expect(opened("within")).toMatch(/^openat2: Too many levels/);
    expect(opened("../..")).toMatch(/^openat2: Invalid cross-device link/);
    expect(opened("out/passwd")).toMatch(/^openat2: Too many levels/);
    const made = (name: string) =>
      perl(`${open} print eval { readlink SystemCalls::path_of(MountRoot::make_mount_point($root, "${name}")) } // $@`);
    expect(made("/new/deep")).toBe(path.join(dir, "new/deep"));
    expect(made("/out/deep")).toBe("/out of the image is not a folder\n");
  });

  it.each([
    "/",
    "/usr",
    "/usr/local",
    "/usr/local/nvidia",
    "/usr/local/nvidia/lib64",
    "/dev",
    "/proc/x",
    "/run",
    "/var",
  ])("of a volume is not %s, where svc mounts its own", (place) => {
    expect(volumePathProblem(place)).toMatch(
      place === "/" ? /absolute path/ : /not \/dev, .*\/usr\/local\/nvidia.*above/,
    );
    expect(volumePathProblem("/usr/share/models")).toBeUndefined();
  });
});
