import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openScene, type RuntimeScene } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { canLimitWorkloads, missingForWorkloads } from "../../../../test/factories/workload-node";
import { DiskSpace } from "../../disk-space/disk-space";
import type { WorkloadDisks } from "./workload-disks";

const MIB = 1024 ** 2;
const FOREVER = "while :; do sleep 0.05; done";
const TELLS = "while :; do echo goes on; sleep 0.05; done";
const sized = (mib: number) => ({ limits: { diskBytes: mib * MIB } });
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const base = mkdtempSync(path.join(os.tmpdir(), "svc-full-"));
const image = path.join(base, "image");
const dataDir = path.join(base, "disk");

/** A file system of 1.5 GB of its own; a sentence if this node cannot mount one. */
function mountSmallDisk(): string | undefined {
  const missing = missingForWorkloads() ?? (canLimitWorkloads() ? undefined : "only root can mount a small disk");
  if (missing) return missing;
  const file = openSync(image, "w");
  ftruncateSync(file, 1500 * MIB);
  closeSync(file);
  execFileSync("mkfs.ext4", ["-q", "-F", "-m", "0", image]);
  execFileSync("mkdir", [dataDir]);
  execFileSync("mount", ["-o", "loop", image, dataDir]);
  return undefined;
}

const missing = mountSmallDisk();
const space = missing ? undefined : await DiskSpace.open({ dir: dataDir, log, holds: true });
const opened = missing ?? (await openScene({ kind: "namespaces", dataDir, space }));
const skipped = typeof opened === "string" ? ` (skipped: ${opened})` : "";

describe.skipIf(skipped)(`A fills the disk of the node${skipped}`, () => {
  const { runtime, script, output, close } = opened as RuntimeScene;
  afterAll(async () => {
    await space?.stop();
    // The mount of the disk remains until it is unmounted.
    await close().catch(() => undefined);
    execFileSync("umount", ["--lazy", dataDir]);
    rmSync(base, { recursive: true });
  });

  it("the kernel lets a disk of any size grow by what it may and no more", async () => {
    const disks = runtime.disks;
    if (!disks) throw new Error("no disks");
    for (const [id, diskMib] of [
      ["small", 64],
      ["large", 600],
    ] as const) {
      await runtime.ensure(script(id, FOREVER, sized(diskMib)));
      const measured = async () => {
        const use = (await disks.measure()).find(({ disk }) => path.basename(disk) === id);
        if (!use) throw new Error("not measured");
        return use;
      };
      const before = await measured();
      await disks.limit([{ ...before, growthBytes: 8 * MIB }]);
      const { exited } = await runtime.exec(id, ["sh", "-c", "cat /dev/zero > /file"]);
      expect((await exited).exitCode).not.toBe(0);
      const grown = (await measured()).usedBytes - before.usedBytes;
      expect(grown).toBeGreaterThan(7 * MIB);
      expect(grown).toBeLessThanOrEqual(8 * MIB);
      await runtime.remove(id);
    }
  });

  it("what running workloads have of their promises counts for them, and of ended ones for others", async () => {
    const taken = async () => (await runtime.volumes?.list())?.promisesMax ?? 0;
    const disks = runtime.disks as WorkloadDisks;
    await runtime.ensure(script("one", FOREVER, sized(64)));
    const { bytes: all, promisedBytes: bytes } = await disks.workloadUses();
    expect(all.one).toBeGreaterThanOrEqual(bytes);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(64 * MIB);
    // 1.5 GB, of which svc keeps a quarter at most.
    expect(await taken()).toBeGreaterThan(MIB);
    await runtime.terminate("one", 0);
    const ended = await disks.workloadUses();
    expect(ended.promisedBytes).toBe(0);
    // Its files are still there.
    expect(ended.bytes.one).toBeGreaterThan(0);
    await runtime.remove("one");
    expect((await disks.workloadUses()).bytes.one).toBeUndefined();
  });

  it("A is paused; B and svc go on writing, and A goes on when there is space", async () => {
    if (!space) throw new Error("no disk");
    const filler = path.join(dataDir, "filler");
    execFileSync("fallocate", ["--length", String(800 * MIB), filler]);
    if (runtime.disks) space.follow(runtime.disks);
    const said = (id: string, text: string) =>
      waitFor(async () => expect(await output(id)).toContain(text), { interval: 20 });
    await runtime.ensure(
      script("b", "i=0; while :; do i=$((i+1)); echo $i > /count; cat /count; sleep 0.05; done", sized(32)),
    );
    await said("b", "3\n");
    await runtime.ensure(script("a", `cat /dev/zero > /file; ${TELLS}`, sized(400)));
    await runtime.ensure(script("a2", `cat /dev/zero > /file; ${FOREVER}`, sized(400)));
    await waitFor(async () => expect((await runtime.disks?.paused())?.sort()).toEqual(["a", "a2"]), { interval: 20 });
    expect(() => space.assertRoom()).toThrow(expect.objectContaining({ code: "unavailable" }));
    // Also once the kernel has written everything.
    execFileSync("sync", ["-f", dataDir]);
    const own = path.join(dataDir, "database");
    await writeFile(own, Buffer.alloc(16 * MIB, 1), { flush: true });
    const goesOn = async (id: string) => {
      const before = (await output(id)).length;
      await waitFor(async () => expect((await output(id)).length).toBeGreaterThan(before), { interval: 20 });
    };
    await goesOn("b");

    // A paused workload is ended without its grace.
    expect(await runtime.terminate("a2", 60)).toMatchObject({ state: "exited", signal: "SIGKILL" });
    await runtime.remove("a2");
    rmSync(filler);
    await goesOn("a");
    await waitFor(async () => expect(await runtime.disks?.paused()).toEqual([]), { interval: 20 });
    space.assertRoom();
  });
});
