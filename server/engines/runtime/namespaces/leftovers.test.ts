import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cgroupsOf, openScene, type RuntimeScene } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { canLimitWorkloads, missingForWorkloads } from "../../../../test/factories/workload-node";
import { runProgram } from "../../programs/run-program";
import { DISK_BYTES_MIN } from "./program-of";
import { attachDisk, deleteDisk, isMounted, makeDisk } from "./workload-disk";
import { WorkloadFolder } from "./workload-folder";

const why = missingForWorkloads() ?? (canLimitWorkloads() ? "" : "this node cannot mount disks");
const VOLUME = { id: "kept", path: "/kept" };
const WAITS = "trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done";

describe.skipIf(why !== "")(`a workload that has ended${why && ` (skipped: ${why})`}`, () => {
  let base: string;
  let scene: RuntimeScene;
  const open = async () => {
    const opened = await openScene({ kind: "namespaces", dataDir: path.join(base, "data") });
    if (typeof opened === "string") throw new Error(opened);
    return opened;
  };
  beforeAll(async () => {
    base = await mkdtemp(path.join(os.tmpdir(), "svc-leftovers-"));
    await mkdir(path.join(base, "data"));
    scene = await open();
    await scene.runtime.volumes?.make(VOLUME.id, { bytes: DISK_BYTES_MIN });
  });
  afterAll(async () => {
    await scene.close();
    await rm(base, { recursive: true });
  });

  const folderOf = (kind: "workloads" | "volumes", id: string) =>
    new WorkloadFolder(path.join(base, "data/runtime", kind, id));
  /** The files below the folder that have a loop device. */
  const devices = async () => {
    const list = (await runProgram("losetup", ["--list", "-n", "-O", "BACK-FILE"])).toString("utf8");
    const own = list.split("\n").filter((file) => file.startsWith(base));
    return own.map((file) => path.basename(path.dirname(file))).sort();
  };
  const run = async (id: string) => {
    await scene.runtime.ensure(scene.script(id, `echo of-${id} > /root.txt; ${WAITS}`, { volumes: [VOLUME] }));
    await waitFor(async () => expect(await scene.output(id)).toContain("ready"));
  };

  it("has no mount, device or control group, and its files can still be read", async () => {
    await run("one");
    expect([await devices(), (await cgroupsOf("one")).length > 0]).toEqual([["kept", "one"], true]);
    await run("two");
    await scene.runtime.terminate("one", 30);
    expect([await devices(), await cgroupsOf("one")]).toEqual([["kept", "two"], []]);
    const files = await buffer(scene.runtime.snapshot("one"));
    expect(files.toString("latin1")).toContain("of-one");
    await waitFor(async () => expect(await devices()).toEqual(["kept", "two"]));
    await scene.runtime.terminate("two", 30);
    expect(await devices()).toEqual([]);
    expect((await buffer(scene.runtime.volumes?.snapshot(VOLUME.id) as never)).length).toBeGreaterThan(0);
    await waitFor(async () => expect(await devices()).toEqual([]));
  });

  it("keeps the disk of a volume that another one has been started with meanwhile, under one device", async () => {
    await run("three");
    await Promise.all([scene.runtime.terminate("three", 30), run("four")]);
    expect(await devices()).toEqual(["four", "kept"]);
    // As after an update of an earlier version, whose mounts were not known: the device is shared, not doubled.
    await runProgram("umount", [folderOf("volumes", "kept").file("data")]);
    await attachDisk(folderOf("volumes", "kept"));
    expect(await devices()).toEqual(["four", "kept"]);
    await scene.runtime.terminate("four", 30);
    expect(await devices()).toEqual([]);
  });

  it("is cleaned up by the next start after svc was killed, which leaves what runs and what is of others", async () => {
    await run("ended");
    await run("running");
    await scene.runtime.terminate("ended", 30);
    // What a process leaves that is killed before it has seen the end.
    await attachDisk(folderOf("workloads", "ended"));
    const foreign = new WorkloadFolder(path.join(base, "foreign"));
    await mkdir(foreign.dir);
    await makeDisk(foreign, DISK_BYTES_MIN);
    const before = scene;
    scene = await open();
    expect(await devices()).toEqual(["foreign", "kept", "running"]);
    expect(await isMounted(folderOf("workloads", "running"))).toBe(true);
    await scene.runtime.terminate("running", 30);
    expect(await devices()).toEqual(["foreign"]);
    await deleteDisk(foreign);
    await before.runtime.close();
    await before.registry.stop();
    expect((await stat(folderOf("workloads", "ended").file("log"))).isDirectory()).toBe(true);
  });
});
