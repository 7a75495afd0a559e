import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openScene, type RuntimeScene } from "../../../../test/factories/runtime-scene";
import { DiskSpace } from "../../disk-space/disk-space";

const MIB = 1024 ** 2;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const dir = await mkdtemp(path.join(os.tmpdir(), "svc-plain-"));
/** Of 5 GiB, of which svc keeps 512 MiB. */
let freeMib = 4000;
const spaceOf = async () => ({ bsize: MIB, blocks: 5120, bfree: freeMib, bavail: freeMib });
const space = await DiskSpace.open({ dir, log, spaceOf });
const scene = process.platform === "linux" ? await openScene({ kind: "process", space }) : "plain processes need Linux";
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";

describe.skipIf(skipped)(`A's plain process fills the disk${skipped}`, () => {
  const { runtime, script, output, close } = scene as RuntimeScene;
  afterAll(async () => {
    await space.stop();
    await close();
    await rm(dir, { recursive: true });
  });
  const paused = () => runtime.disks?.paused();
  const goesOn = async (id: string) => {
    const before = (await output(id)).length;
    await expect.poll(async () => (await output(id)).length, { timeout: 60_000 }).toBeGreaterThan(before);
  };

  it("A is paused with what A has started, B goes on, and A goes on when there is space", async () => {
    if (runtime.disks) space.follow(runtime.disks);
    await runtime.ensure(script("b", "while :; do echo on; sleep 0.05; done"));
    const writing = "while :; do cat bin/* > grown; cat grown >> all; echo goes on; sleep 0.1; done";
    await runtime.ensure(script("a", `(${writing}) & wait`));
    await goesOn("a");
    freeMib = 250;
    await expect.poll(paused, { timeout: 60_000 }).toEqual(["a"]);
    await goesOn("b");
    freeMib = 4000;
    await expect.poll(paused, { timeout: 60_000 }).toEqual([]);
    await goesOn("a");
    freeMib = 250;
    await expect.poll(paused, { timeout: 60_000 }).toEqual(["a"]);
    // Without its grace.
    expect(await runtime.terminate("a", 600)).toMatchObject({ state: "exited", signal: "SIGKILL" });
    freeMib = 4000;
  }, 120_000);
});
