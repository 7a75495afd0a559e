import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chunked, namesIn, newName, readAll } from "../../../test/factories/blob-store-contract";
import { fileFolder } from "../../../test/factories/file-folder";
import { startS3Double } from "../../../test/factories/s3-double";
import { blobFile } from "./file-blob-store";
import { blobsFolder, openBlobStore } from "./open-blob-store";
import { PACK_BYTES } from "./packed-content";

const dataDir = fileFolder("svc-tiers-");
const root = blobsFolder(dataDir);
const store = await openBlobStore({ dataDir, objectsDiskShare: 1 });

/** Blocks that compress and one that does not. */
const mixed = (size: number): Buffer =>
  Buffer.concat([Buffer.alloc(PACK_BYTES, "text "), randomBytes(PACK_BYTES), Buffer.alloc(size, "more ")]).subarray(
    0,
    size,
  );
const named = (tier: string) => `${newName()}.${tier}`;

it.each([0, 1, PACK_BYTES - 1, PACK_BYTES, PACK_BYTES + 1, 2 * PACK_BYTES + 4321])(
  "packs %i bytes and returns them and any range of them",
  async (size) => {
    const [bytes, name] = [mixed(size), named("warm")];
    expect(await store.put(name, chunked(bytes, 70_001))).toEqual({ size });
    expect((await readAll(store, name, { size })).equals(bytes)).toBe(true);
    const at = fc.integer({ min: 0, max: size });
    await fc.assert(
      fc.asyncProperty(at, at, async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const read = await readAll(store, name, { size, range: { start, end } });
        expect(read.equals(bytes.subarray(start, end))).toBe(true);
      }),
      { numRuns: 15 },
    );
  },
);

it("stores each class in a folder of its own, compressed only where that is smaller", async () => {
  const [text, noise] = [Buffer.alloc(3 * PACK_BYTES, "log line "), randomBytes(3 * PACK_BYTES)];
  for (const tier of ["warm", "cold", "archive"]) {
    const [small, large] = [named(tier), named(tier)];
    await store.put(small, chunked(text));
    await store.put(large, chunked(noise));
    expect(blobFile(root, small).startsWith(path.join(root, `.${tier}/`))).toBe(true);
    expect(statSync(blobFile(root, small)).size).toBeLessThan(text.length / 100);
    expect(statSync(blobFile(root, large)).size).toBeLessThan(noise.length + 200);
  }
});

it("copies within and between classes, lists all of them and removes them", async () => {
  const bytes = mixed(2 * PACK_BYTES + 7);
  const { length: size } = bytes;
  const names = [newName(), named("warm"), named("cold"), named("cold"), newName()];
  await store.put(names[0] ?? "", chunked(bytes));
  for (const [i, name] of names.slice(1).entries()) await store.copy(names[i] ?? "", name, size);
  for (const name of names) {
    expect((await readAll(store, name, { size })).equals(bytes)).toBe(true);
    expect(await store.verify(name, size)).toBe("ok");
  }
  const later = new Date(Date.now() + 60_000);
  expect(await namesIn(store, later)).toEqual(expect.arrayContaining(names));
  await store.remove(names);
  expect((await namesIn(store, later)).filter((name) => names.includes(name))).toEqual([]);
  expect(await store.verify(names[1] ?? "", size)).toBe("missing");
});

it("never returns bytes of a damaged file, wherever it is damaged", async () => {
  const [bytes, name] = [mixed(2 * PACK_BYTES + 99), named("archive")];
  await store.put(name, chunked(bytes));
  const file = blobFile(root, name);
  const whole = readFileSync(file);
  for (const at of [0, PACK_BYTES, whole.length - 60, whole.length - 35, whole.length - 10]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(file, damaged);
    expect([at, await store.verify(name, bytes.length)]).toEqual([at, "damaged"]);
  }
  writeFileSync(file, whole.subarray(0, 1000));
  expect(await store.verify(name, bytes.length)).toBe("damaged");
});

it("stores nothing of a body that ends with a failure", async () => {
  const before = await namesIn(store, new Date(Date.now() + 60_000));
  const failing = (async function* () {
    yield randomBytes(PACK_BYTES);
    throw new Error("the client has gone");
  })();
  await expect(store.put(named("warm"), failing)).rejects.toThrow("the client has gone");
  expect(await namesIn(store, new Date(Date.now() + 60_000))).toEqual(before);
});

it("gives each class a prefix of its own in an external store", async () => {
  const double = await startS3Double();
  const external = await openBlobStore({ dataDir, s3: double.settings });
  const [bytes, name] = [mixed(PACK_BYTES + 5), named("cold")];
  await external.put(name, chunked(bytes));
  expect([...double.objects.keys()]).toEqual([`svc-objects/.cold/${name}`]);
  expect(await namesIn(external, new Date(Date.now() + 60_000))).toEqual([name]);
  const range = { start: PACK_BYTES - 3, end: PACK_BYTES + 2 };
  const read = await readAll(external, name, { size: bytes.length, range });
  expect(read.equals(bytes.subarray(range.start, range.end))).toBe(true);
  const missing = external.read(named("cold"), { size: 1 })[Symbol.asyncIterator]().next();
  await expect(missing).rejects.toMatchObject({ details: { reason: "blob_missing" } });
  await external.close();
  await double.stop();
});
