import { stat } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { diskLevels } from "./disk-levels";
import { DiskSpace } from "./disk-space";
import type { DiskGrowth, DiskUse } from "./disk-writers";
import { heldFile } from "./held-space";

const MIB = 1024 ** 2;
const GIB = 1024 * MIB;
const dir = fileFolder("svc-space-");
const lines: string[] = [];
const line = (level: string) => (first: unknown, text?: string) => void lines.push(`${level}: ${text ?? first}`);
const log = { info: line("info"), warn: line("warn"), error: line("error") };

/** On a disk of 5 GiB, of which svc keeps 512 MiB. */
let freeMib: number;
let elapsedMs = 0;
let space: DiskSpace;
let uses: DiskUse[];
let calls: string[];
let grown: string[];
const writers = {
  measure: async () => uses,
  limit: async (growth: readonly DiskGrowth[]) => {
    grown = growth.map(({ disk, growthBytes }) => `${disk} ${growthBytes / MIB}`);
  },
  pause: async (disks: readonly string[]) => void calls.push(`pause ${disks.join(" ")}`),
  end: async (disks: readonly string[]) => void calls.push(`end ${disks.join(" ")}`),
  resume: async () => void calls.push("resume"),
};
const spaceOf = async () => ({ bsize: MIB, blocks: 5120, bfree: freeMib, bavail: freeMib });
const use = (disk: string, usedMib: number, [storedMib = usedMib, allowedMib = 0]: number[] = []): DiskUse => ({
  disk,
  usedBytes: usedMib * MIB,
  storedBytes: storedMib * MIB,
  freeBytes: (2000 - usedMib) * MIB,
  allowedBytes: allowedMib * MIB,
});
const lookWith = async (free: number, ...now: DiskUse[]) => {
  [freeMib, uses, calls] = [free, now, []];
  await space.look();
  return calls;
};

beforeEach(async () => {
  [freeMib, uses, calls, lines.length] = [4000, [], [], 0];
  space = await DiskSpace.open({ dir, log, spaceOf, elapsedMs: () => elapsedMs, holds: true });
});
afterEach(() => space.stop());

it.each([
  [300 * MIB, 75 * MIB],
  [5 * GIB, 512 * MIB],
  [100 * GIB, 10 * GIB],
  [4096 * GIB, 20 * GIB],
])("of a disk of %d bytes svc keeps %d", (disk, reserve) => {
  expect(diskLevels(disk).reserveBytes).toBe(reserve);
});

it("refuses tenants' writes from the reserve on, tells the operator once, and accepts them again when there is space", async () => {
  space.assertRoom();
  await lookWith(500);
  await lookWith(499);
  const refusal = { code: "unavailable", details: { reason: "disk_full" }, retryAfterSeconds: 5 };
  expect(() => space.assertRoom()).toThrow(expect.objectContaining(refusal));
  await expect(space.checkReserve()).rejects.toThrow("has 499 MiB left, of which svc keeps 512 MiB for itself");
  await lookWith(530);
  expect(() => space.assertRoom()).toThrow(expect.objectContaining(refusal));
  await lookWith(600);
  space.assertRoom();
  await space.checkReserve();
  expect(lines).toEqual([expect.stringMatching(/^error: .*has 500 MiB left/), expect.stringMatching(/^info: .*again/)]);
  // What would use up the reserve is refused before it is written.
  expect(() => space.assertRoom(100 * MIB)).toThrow(expect.objectContaining(refusal));
});

it("counts what the kernel has not yet written to the disks of workloads", async () => {
  space.follow(writers);
  await lookWith(2000, use("a", 10));
  await lookWith(2000, use("a", 1600, [10]));
  expect(space.isLow).toBe(true);
  expect(space.freeBytes).toBe(410 * MIB);
});

it("measures disks, while there is space, only before writers could have used it up, or when half of it is", async () => {
  const measure = async () => {
    calls.push("measure");
    return uses;
  };
  space.follow({ ...writers, measure });
  await lookWith(4000);
  const glanceWith = async (free: number, afterMs = 0) => {
    [freeMib, calls] = [free, []];
    elapsedMs += afterMs;
    await space.glance();
    return { calls, free: space.freeBytes / MIB };
  };
  expect(await glanceWith(3000)).toEqual({ calls: [], free: 3000 });
  expect(await glanceWith(2000)).toEqual({ calls: ["measure"], free: 2000 });
  // At 4 GiB/s it would last for 363 ms.
  expect(await glanceWith(1900, 300)).toEqual({ calls: [], free: 1900 });
  expect(await glanceWith(1900, 100)).toEqual({ calls: ["measure"], free: 1900 });
  for (let i = 0; i < 2; i++) expect(await glanceWith(500)).toEqual({ calls: ["measure"], free: 500 });
});

it("pauses workloads that fill the disk, ends one that goes on, and lets the others be", async () => {
  space.follow(writers);
  expect(await lookWith(4000, use("a", 10), use("b", 900))).toEqual(["resume"]);
  expect(await lookWith(300, use("a", 200), use("b", 900))).toEqual([]);
  expect(await lookWith(250, use("a", 250), use("b", 900.5))).toEqual(["pause a"]);
  expect(await lookWith(250, use("a", 250), use("b", 900.5))).toEqual(["pause a"]);
  expect(await lookWith(180, use("a", 320), use("b", 902))).toEqual(["pause a b", "end a"]);
  // Not before tenants may write again.
  expect(await lookWith(400, use("b", 902))).toEqual([]);
  expect(await lookWith(1000, use("b", 902))).toEqual(["resume"]);
  expect(await lookWith(1000, use("b", 902))).toEqual([]);
});

it("ends no workload for what it has written until its pause took effect, however late that was", async () => {
  space.follow(writers);
  await lookWith(4000, use("a", 10));
  expect(await lookWith(250, use("a", 200))).toEqual(["pause a"]);
  expect(await lookWith(200, use("a", 600))).toEqual(["pause a"]);
  expect(await lookWith(200, use("a", 660))).toEqual(["pause a"]);
  expect(await lookWith(190, use("a", 670))).toEqual(["pause a", "end a"]);
});

it("lets workloads together grow up to three quarters of the reserve, and never less than they need while there is space", async () => {
  space.follow(writers);
  await lookWith(4000, use("a", 100), use("b", 200));
  expect(grown).toEqual(["b 1800", "a 1900"]);
  await lookWith(528, use("a", 1900, [1900, 100]), use("b", 200, [200, 1800]), use("c", 200));
  // What b may no longer use is for c when b can no longer use it.
  expect(grown).toEqual(["a 100", "b 150", "c 4"]);
  await lookWith(528, use("a", 1900, [1900, 100]), use("b", 200, [200, 150]), use("c", 200));
  expect(grown).toEqual(["a 100", "b 150", "c 150"]);
  await lookWith(100, use("a", 1900, [1900, 100]), use("b", 200, [200, 150]));
  expect(grown).toEqual(["a 4", "b 4"]);
});

it("gives its database the space that it has held, and holds it again later", async () => {
  const held = async () => (await stat(heldFile(dir)).catch(() => undefined))?.size;
  const bytes = await held();
  if (process.platform === "linux") expect(bytes).toBe(128 * MIB);
  await lookWith(100);
  expect(await held()).toBe(bytes);
  await lookWith(50);
  expect(await held()).toBeUndefined();
  await lookWith(300);
  expect(await held()).toBeUndefined();
  await lookWith(1000);
  expect(await held()).toBe(bytes);
});
