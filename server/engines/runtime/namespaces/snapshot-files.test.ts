import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snapshotFiles } from "./snapshot-files";

const FILES = 40;
const FILE_BYTES = 300_000;
const LEAVES_AFTER_CHUNKS = [0, 1, 2, 3, 5, 8, 13];

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "svc-snapshot-files-"));
  for (let i = 0; i < FILES; i++) writeFileSync(path.join(root, `file-${i}`), Buffer.alloc(i % 2 ? 0 : FILE_BYTES, i));
});
afterAll(() => rmSync(root, { recursive: true }));

test.each(LEAVES_AFTER_CHUNKS)(
  "a reader that leaves after %i chunks ends the archive, and nothing else",
  async (chunks) => {
    const failures: unknown[] = [];
    const note = (failure: unknown) => failures.push(failure);
    process.on("uncaughtException", note);
    try {
      const archive = snapshotFiles({ root, idBase: 0 });
      let read = 0;
      if (chunks === 0) archive.destroy();
      // To leave the loop destroys the stream.
      else for await (const _ of archive) if (++read === chunks) break;
      if (!archive.closed) await new Promise((resolve) => archive.once("close", resolve));
      // What its entries emit follows in the same turn.
      await turn();
      expect([read, archive.destroyed]).toEqual([chunks, true]);
    } finally {
      process.off("uncaughtException", note);
    }
    expect(failures).toEqual([]);
  },
);
