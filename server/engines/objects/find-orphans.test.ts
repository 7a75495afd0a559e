import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chunked, newName } from "../../../test/factories/blob-store-contract";
import { fileFolder } from "../../../test/factories/file-folder";
import { blobFile, FileBlobStore } from "./file-blob-store";
import { findOrphans } from "./find-orphans";
import { scrubBlobs } from "./scrub-blobs";

const root = fileFolder("svc-orphans-");
const store = await FileBlobStore.open({ root, diskShare: 1 });

async function stored(size: number): Promise<string> {
  const name = newName();
  await store.put(name, chunked(randomBytes(size)));
  return name;
}

async function orphansBefore(olderThan: Date, needed: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const neededOf = async (names: readonly string[]) => new Set(names.filter((name) => needed.includes(name)));
  for await (const names of findOrphans(store, { olderThan, neededOf })) found.push(...names);
  return found;
}

it("finds the old blobs that nothing needs", async () => {
  const [needed, orphan] = [await stored(1), await stored(1)];
  const later = new Date(Date.now() + 60_000);
  expect(await orphansBefore(later, [needed])).toEqual([orphan]);
  expect(await orphansBefore(new Date(Date.now() - 60_000), [needed])).toEqual([]);
  expect(await orphansBefore(later, [needed, orphan])).toEqual([]);
});

it("scrubs blobs at the given rate and reports what is damaged or missing", async () => {
  const size = 2_000_000;
  const names = [await stored(size), await stored(size), newName(), await stored(size)];
  const file = blobFile(root, names[1] ?? "");
  const bytes = readFileSync(file);
  bytes[size - 1] = (bytes[size - 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  async function* entries() {
    for (const name of names) yield { name, size };
  }
  let pausedMs = 0;
  const pause = async (ms: number) => {
    pausedMs += ms;
  };
  const found = [];
  for await (const { state } of scrubBlobs(store, entries(), { bytesPerSecond: 1e6, pause })) found.push(state);
  expect(found).toEqual(["ok", "damaged", "missing", "ok"]);
  // Two whole blobs, and the second one up to its damage.
  expect(pausedMs).toBeGreaterThan(4000);
  expect(pausedMs).toBeLessThanOrEqual(6000);
});

it("stops scrubbing when it is aborted", async () => {
  const name = await stored(2_000_000);
  const abort = new AbortController();
  async function* entries() {
    for (;;) yield { name, size: 2_000_000 };
  }
  const pause = async () => abort.abort(new Error("svc stops"));
  const scrub = async () => {
    for await (const _result of scrubBlobs(store, entries(), { bytesPerSecond: 1e6, signal: abort.signal, pause }));
  };
  await expect(scrub()).rejects.toThrow("svc stops");
});
