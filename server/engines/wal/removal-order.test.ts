import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { CHECKPOINT_FILE } from "./checkpoint";
import { Wal } from "./wal";
import { type WalIo, walIo } from "./wal-io";

const root = fileFolder("svc-removal-");

/** Every removal that a power loss can undo, with the file's content. */
class Removals {
  readonly undoable = new Map<string, Buffer>();
  readonly #afterEach: () => Promise<void>;

  constructor(afterEach: () => Promise<void>) {
    this.#afterEach = afterEach;
  }

  get io(): WalIo {
    return {
      ...walIo,
      remove: async (file) => {
        this.undoable.set(path.basename(file), await readFile(file));
        await walIo.remove(file);
        await this.#afterEach();
      },
      syncFolder: async (dir) => {
        await walIo.syncFolder(dir);
        this.undoable.clear();
      },
    };
  }
}

/** What a process finds after a power loss that undid the removal of `restored` and deleted the checkpoint. */
async function openAfterPowerLoss(dir: string, restored: readonly [string, Buffer][]): Promise<Wal> {
  const copy = await mkdtemp(path.join(root, "after-"));
  await cp(dir, copy, { recursive: true });
  await rm(path.join(copy, CHECKPOINT_FILE));
  for (const [name, content] of restored) await writeFile(path.join(copy, name), content);
  return Wal.open(copy);
}

it("a power loss between removals sends no delivered line again with another token", async () => {
  const dir = path.join(root, "log");
  const tokens = new Map<string, string>();
  const again: string[] = [];
  const gaps: string[][] = [];
  let losses = 0;
  const lose = async () => {
    const undoable = [...removals.undoable];
    // In any other order a later segment could be gone while an earlier one still exists.
    const segments = undoable.map(([name]) => name).filter((name) => name.endsWith(".log"));
    if (segments.length > 1) gaps.push(segments);
    for (const restored of [...undoable.map((one) => [one]), undoable]) {
      const wal = await openAfterPowerLoss(dir, restored);
      losses++;
      for (let slice = await wal.take(1); slice; slice = await wal.take(1)) {
        const [line = ""] = slice.lines;
        if (tokens.has(line) && tokens.get(line) !== slice.token) again.push(line);
        await slice.ack();
      }
      await wal.close();
    }
  };
  const removals = new Removals(lose);
  const wal = await Wal.open(dir, { io: removals.io, segmentBytesMax: 1, slicesMax: 3 });
  for (let i = 0; i < 6; i++) await wal.append(`line ${i}`);
  for (let round = 0; round < 2; round++) {
    const slices = [await wal.take(1), await wal.take(1), await wal.take(1)];
    for (const slice of slices) tokens.set(slice?.lines[0] ?? "", slice?.token ?? "");
    // The last acknowledgement releases the segments of all three.
    for (const slice of slices.reverse()) await slice?.ack();
  }
  await wal.close();
  expect((await readdir(dir)).filter((name) => name.endsWith(".log"))).toHaveLength(1);
  expect(losses).toBeGreaterThan(10);
  expect(again).toEqual([]);
  expect(gaps).toEqual([]);
});
