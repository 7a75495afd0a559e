import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { chunked } from "../../../test/factories/blob-store-contract";
import { blobFile } from "../../engines/objects/file-blob-store";
import { openBlobStore } from "../../engines/objects/open-blob-store";
import { checkObjects, copyObjectsIn, copyObjectsOut } from "./object-files";

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "svc-object-files-"));
  mkdirSync(path.join(base, "backup"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const progress = () => undefined;
const dataDir = () => path.join(base, "data");
const folder = () => path.join(base, "backup");
const open = (at = dataDir()) => openBlobStore({ dataDir: at, objectsDiskShare: 1 });
const backUp = () => copyObjectsOut({ dataDir: dataDir(), s3: undefined }, { folder: folder(), progress });

/** Replaces the file, as a medium that damages one copy does: it may be a second name of another one. */
function damage(root: string, name: string): void {
  const file = blobFile(path.join(root, "objects"), name);
  const bytes = readFileSync(file);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  rmSync(file);
  writeFileSync(file, bytes);
}

async function storeBlobs(sizes: readonly number[]): Promise<string[]> {
  const blobs = await open();
  // The last one is in a storage class.
  const names = sizes.map((size, i) => `ten_${i % 2}/bkt_1/obj_${size}${i === 4 ? ".cold" : ""}`);
  for (const [i, name] of names.entries()) await blobs.put(name, chunked(randomBytes(sizes[i] ?? 0)));
  return names;
}

it("copies every blob, as a second name of the same file on the same disk, and back", async () => {
  const sizes = [0, 1, 300_000, 2 ** 18, 5];
  const names = await storeBlobs(sizes);
  const entry = await backUp();
  expect(entry).toMatchObject({ file: "objects/blobs.tsv.gz", rows: sizes.length });
  const copied = statSync(blobFile(path.join(folder(), "objects"), names[0] ?? ""));
  expect([copied.nlink, copied.mode & 0o777]).toEqual([2, 0o600]);
  await checkObjects(entry, folder());
  const target = path.join(base, "restored");
  await copyObjectsIn(entry, { folder: folder(), dataDir: target, progress });
  const restored = await open(target);
  for (const [i, name] of names.entries()) expect(await restored.verify(name, sizes[i] ?? 0)).toBe("ok");
});

it("refuses a backup in which a blob has changed or is missing", async () => {
  const [first = "", second = ""] = await storeBlobs([10, 20]);
  const entry = await backUp();
  damage(folder(), first);
  await expect(checkObjects(entry, folder())).rejects.toThrow(`objects/${first} has changed since it was written`);
  rmSync(blobFile(path.join(folder(), "objects"), first));
  await expect(checkObjects(entry, folder())).rejects.toThrow(`objects/${first} is missing`);
  expect(await (await open()).verify(second, 20)).toBe("ok");
});

it("copies a blob that was damaged before as it is, and says so", async () => {
  const [rotten = "", intact = ""] = await storeBlobs([10, 20]);
  damage(dataDir(), rotten);
  const steps: string[] = [];
  const entry = await copyObjectsOut(
    { dataDir: dataDir(), s3: undefined },
    { folder: folder(), progress: (step) => steps.push(step) },
  );
  expect(steps).toContain("1 stored objects were damaged before; they were copied as they are");
  await checkObjects(entry, folder());
  const target = path.join(base, "restored");
  await copyObjectsIn(entry, { folder: folder(), dataDir: target, progress });
  const restored = await open(target);
  expect([await restored.verify(rotten, 10), await restored.verify(intact, 20)]).toEqual(["damaged", "ok"]);
});

it("writes nothing without blobs", async () => {
  await open();
  expect(await backUp()).toBeUndefined();
  expect(readdirSync(folder())).toEqual([]);
});
