import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FileBlobStore } from "../../engines/objects/file-blob-store";
import { snapshotFiles } from "../../engines/runtime/namespaces/snapshot-files";
import { ArchiveTooLarge, storeArchive } from "./snapshot-archive";

const FILE_BYTES = 3_000_000;
const SNAPSHOT = { id: "vsn_1", tenantId: "ten_1", volumeId: "res_1" };

let folder: string;
let blobs: FileBlobStore;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "svc-snapshot-archive-"));
  blobs = await FileBlobStore.open({ root: path.join(folder, "objects"), diskShare: 1 });
  writeFileSync(path.join(folder, "file"), Buffer.alloc(FILE_BYTES));
});
afterAll(() => rmSync(folder, { recursive: true }));

const store = (bytesMax: number) => {
  const leftOut = new Set(["objects"]);
  return storeArchive(blobs, SNAPSHOT, { archive: snapshotFiles({ root: folder, idBase: 0, leftOut }), bytesMax });
};

test("an archive is stored compressed", async () => {
  const stored = await store(2 * FILE_BYTES);
  expect(stored.sizeBytes).toBeGreaterThan(FILE_BYTES);
  expect(stored.storedBytes).toBeLessThan(FILE_BYTES / 10);
});

test("one that is too large fails, and its failure does not end the process", async () => {
  await expect(store(FILE_BYTES / 2)).rejects.toThrow(ArchiveTooLarge);
  // An error that nobody listens for would end this run.
  await sleep(20);
});
