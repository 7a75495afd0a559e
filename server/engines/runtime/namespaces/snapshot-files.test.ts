import { execFileSync } from "node:child_process";
import { closeSync, linkSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { fileFolder } from "../../../../test/factories/file-folder";
import { opaqueFolders } from "./overlay-marks";
import { snapshotFiles } from "./snapshot-files";

const PERL = path.resolve(import.meta.dirname, "../../perl");

const FILES = 40;
const FILE_BYTES = 300_000;
const LEAVES_AFTER_CHUNKS = [0, 1, 2, 3, 5, 8, 13];

const root = fileFolder("svc-snapshot-files-");
for (let i = 0; i < FILES; i++) writeFileSync(path.join(root, `file-${i}`), Buffer.alloc(i % 2 ? 0 : FILE_BYTES, i));

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

test.each([
  ["a file", (bytes: Buffer) => writeFileSync(bytes, "1")],
  ["the target of a link", (bytes: Buffer, folder: string) => symlinkSync(bytes, path.join(folder, "link"))],
])(
  "an archive in which %s has a name that is not UTF-8 is refused: nothing is left out in silence",
  async (_, make) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "svc-latin1-files-"));
    try {
      make(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), folder);
      const reading = (async () => {
        for await (const _ of snapshotFiles({ root: folder, idBase: 0 }));
      })();
      await expect(reading).rejects.toThrow("the name of a file is not UTF-8 text");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test("an archive of files with several names, whose paths would take too much memory, fails alone", async () => {
  const deep = mkdtempSync(path.join(os.tmpdir(), "svc-deep-files-"));
  const opened = [openSync(deep, "r")];
  const last = () => `/proc/self/fd/${opened.at(-1)}`;
  try {
    for (let depth = 0; depth < 200; depth++) {
      const folder = path.join(last(), "f".repeat(250));
      mkdirSync(folder);
      opened.push(openSync(folder, "r"));
    }
    for (let i = 0; i < 800; i++) {
      writeFileSync(path.join(last(), `a${i}`), "");
      linkSync(path.join(last(), `a${i}`), path.join(last(), `b${i}`));
    }
    const reading = (async () => {
      for await (const _ of snapshotFiles({ root: deep, idBase: 0 }));
    })();
    await expect(reading).rejects.toThrow("the paths of its files with several names are too long");
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
    execFileSync("rm", ["-r", deep]);
  }
});

test("the opaque folders of a workload that nests folders without end are not listed", async () => {
  const nested = mkdtempSync(path.join(os.tmpdir(), "svc-nested-folders-"));
  try {
    mkdirSync(path.join(nested, "a/".repeat(100)), { recursive: true });
    expect(await opaqueFolders(PERL, nested)).toEqual(new Set());
    mkdirSync(path.join(nested, "a/".repeat(300)), { recursive: true });
    await expect(opaqueFolders(PERL, nested)).rejects.toThrow("more than 256 levels deep");
  } finally {
    rmSync(nested, { recursive: true });
  }
});
