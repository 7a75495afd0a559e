import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openWals } from "../../engines/wal/open-wals";
import { copyWalIn, copyWalOut, deliveryState } from "./wal-volumes";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "svc-wal-volumes-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (dir: string, prefix: string, member = { slot: 0, of: 1 }) =>
  openWals({ folder: path.join(root, dir, "wal"), prefix, member, optionsOf: () => ({}) });

/** The lines that wait in the first write-ahead file of a purpose. */
async function waitingIn(dir: string, prefix: string): Promise<string[] | undefined> {
  const { own } = await at(dir, prefix);
  const slice = await own.take();
  await own.close();
  return slice?.lines;
}

it("a backup has what waits in the write-ahead files of events and of telemetry, each for its own purpose", async () => {
  for (const prefix of ["", "telemetry-"]) {
    const { own } = await at("data", prefix);
    await own.append(`R of "${prefix}"`);
    await own.close();
  }
  expect((await deliveryState(path.join(root, "data"))).isDelivered).toBe(true);
  const entries = await copyWalOut(path.join(root, "data"), path.join(root, "backup"));
  await copyWalIn(entries, { folder: path.join(root, "backup"), dataDir: path.join(root, "restored") });
  expect(await waitingIn("restored", "")).toEqual(['R of ""']);
  expect(await waitingIn("restored", "telemetry-")).toEqual(['R of "telemetry-"']);
});

it("the first process opens the files that a start with more processes has left, and no others", async () => {
  for (const slot of [0, 1, 2]) {
    const { own, left } = await at("data", "telemetry-", { slot, of: 3 });
    expect(left).toEqual([]);
    await own.append(`of ${slot}`);
    await own.close();
  }
  const { own, left } = await at("data", "telemetry-", { slot: 0, of: 2 });
  expect(left.map(({ dir }) => path.basename(dir))).toEqual(["telemetry-2"]);
  for (const wal of [own, ...left]) await wal.close();
});
