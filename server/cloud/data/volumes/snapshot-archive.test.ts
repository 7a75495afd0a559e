import { writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { fileFolder } from "../../../../test/factories/file-folder";
import { FileBlobStore } from "../../../engines/objects/file-blob-store";
import { snapshotFiles } from "../../../engines/runtime/namespaces/snapshot-files";
import { ArchiveTooLarge, storeArchive } from "./snapshot-archive";

const FILE_BYTES = 3_000_000;
const SNAPSHOT = { id: "vsn_1", tenantId: "ten_1", volumeId: "res_1" };

const folder = fileFolder("svc-snapshot-archive-");
const blobs = await FileBlobStore.open({ root: path.join(folder, "objects"), diskShare: 1 });
writeFileSync(path.join(folder, "file"), Buffer.alloc(FILE_BYTES));

async function store(bytesMax: number) {
  const archive = snapshotFiles({ root: folder, idBase: 0, leftOut: new Set(["objects"]) });
  try {
    return await storeArchive(blobs, SNAPSHOT, { archive, bytesMax });
  } finally {
    if (!archive.closed) await new Promise((resolve) => archive.once("close", resolve));
    // What its entries emit follows in the same turn.
    await turn();
  }
}

test("an archive is stored compressed", async () => {
  const stored = await store(2 * FILE_BYTES);
  expect(stored.sizeBytes).toBeGreaterThan(FILE_BYTES);
  expect(stored.storedBytes).toBeLessThan(FILE_BYTES / 10);
});

// The run fails if an entry of the archive emits an unhandled `error` event.
test("one that is too large fails, and its failure does not end the process", async () => {
  await expect(store(FILE_BYTES / 2)).rejects.toThrow(ArchiveTooLarge);
});
