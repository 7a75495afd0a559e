import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { BlobRange, BlobStore } from "../../server/engines/objects/blob-store";

/** An engine of object storage and what a test does behind its back. */
export interface BlobStoreSubject {
  store: BlobStore;
  /** Changes the stored bytes of a blob: its content and what the engine adds. */
  change(name: string, change: (bytes: Buffer) => Buffer): Promise<void>;
}

export const BLOCK = 2 ** 18;
const MIB = 2 ** 20;
let names = 0;
export const newName = (bucket = "bkt_1"): string => `ten_1/${bucket}/obj_${process.pid}.${++names}`;

/** Yields the bytes in chunks of one size. */
export async function* chunked(bytes: Uint8Array, chunkBytes = 65_536): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

export async function readAll(store: BlobStore, name: string, options: { size: number; range?: BlobRange }) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(name, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function namesIn(store: BlobStore, olderThan: Date): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of store.list({ olderThan })) found.push(...batch);
  return found;
}

async function stored(store: BlobStore, bytes: Uint8Array, name = newName()): Promise<string> {
  expect(await store.put(name, chunked(bytes))).toEqual({ size: bytes.length });
  return name;
}

const flipped = (at: number) => (bytes: Buffer) => {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
};
const withReason = (reason: string, code = "internal") =>
  expect.objectContaining({ code, details: expect.objectContaining({ reason }) });

/** Each engine passes the same cases. */
export function describeBlobStore(engine: string, open: () => BlobStoreSubject): void {
  describe(`a blob store on ${engine}`, () => {
    contents(open);
    failures(open);
    damage(open);
    naming(open);
  });
}

function contents(open: () => BlobStoreSubject): void {
  it.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, 5 * MIB, 17 * MIB])(
    "returns the %i bytes that were stored",
    async (size) => {
      const { store } = open();
      const bytes = randomBytes(size);
      const name = await stored(store, bytes);
      expect((await readAll(store, name, { size })).equals(bytes)).toBe(true);
      expect(await store.verify(name, size)).toBe("ok");
    },
  );

  it.each([1, 7, 1000, BLOCK - 1, BLOCK + 1, 3 * MIB])("takes chunks of %i bytes", async (chunkBytes) => {
    const { store } = open();
    const bytes = randomBytes(chunkBytes < 100 ? 5000 : 2 * MIB + 11);
    const name = newName();
    await store.put(name, chunked(bytes, chunkBytes));
    expect((await readAll(store, name, { size: bytes.length })).equals(bytes)).toBe(true);
  });

  it("returns every range", async () => {
    const { store } = open();
    for (const size of [10, BLOCK, 3 * BLOCK + 100]) {
      const bytes = randomBytes(size);
      const name = await stored(store, bytes);
      const edges = [0, 1, 9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 99, size - 1, size];
      const within = edges.filter((edge) => edge <= size);
      for (const start of within) {
        for (const end of within.filter((edge) => edge >= start)) {
          const read = await readAll(store, name, { size, range: { start, end } });
          expect(read.equals(bytes.subarray(start, end)), `${start} to ${end} of ${size}`).toBe(true);
        }
      }
      expect(() => store.read(name, { size, range: { start: 1, end: size + 1 } })).toThrow(RangeError);
    }
  });

  it("takes many blobs at once", async () => {
    const { store } = open();
    const blobs = Array.from({ length: 24 }, (_, i) => randomBytes(i * 40_000));
    const at = await Promise.all(blobs.map((bytes) => stored(store, bytes)));
    for (const [i, bytes] of blobs.entries()) {
      expect((await readAll(store, at[i] ?? "", { size: bytes.length })).equals(bytes)).toBe(true);
    }
  });

  it("stops reading when its reader does", async () => {
    const { store } = open();
    const name = await stored(store, randomBytes(3 * MIB));
    for await (const chunk of store.read(name, { size: 3 * MIB })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await store.remove([name]);
    expect(await store.verify(name, 3 * MIB)).toBe("missing");
  });

  it("copies a blob, which remains when the first one is removed", async () => {
    const { store } = open();
    const bytes = randomBytes(MIB + 3);
    const from = await stored(store, bytes);
    const to = newName("bkt_2");
    await store.copy(from, to, bytes.length);
    await store.remove([from]);
    expect(await store.verify(from, bytes.length)).toBe("missing");
    expect((await readAll(store, to, { size: bytes.length })).equals(bytes)).toBe(true);
    await expect(store.copy(from, newName(), bytes.length)).rejects.toEqual(withReason("blob_missing"));
  });
}

function failures(open: () => BlobStoreSubject): void {
  it.each([0, 1, MIB, 9 * MIB])("stores nothing of a body that fails after %i bytes", async (size) => {
    const { store } = open();
    const name = newName();
    async function* failing() {
      yield* chunked(randomBytes(size));
      throw new Error("the client went away");
    }
    await expect(store.put(name, failing())).rejects.toThrow("the client went away");
    expect(await store.verify(name, size)).toBe("missing");
  });

  it.each([0, MIB, 9 * MIB])("stores nothing of a body that is aborted after %i bytes while it waits", async (size) => {
    const { store } = open();
    const name = newName();
    const abort = new AbortController();
    async function* hanging() {
      yield* chunked(randomBytes(size));
      queueMicrotask(() => abort.abort(new Error("aborted")));
      await new Promise(() => undefined);
    }
    await expect(store.put(name, hanging(), { signal: abort.signal })).rejects.toThrow("aborted");
    await expect(store.put(name, chunked(randomBytes(1)), { signal: abort.signal })).rejects.toThrow("aborted");
    expect(await store.verify(name, size)).toBe("missing");
  });

  it("reports a blob that does not exist", async () => {
    const { store } = open();
    await expect(readAll(store, newName(), { size: 5 })).rejects.toEqual(withReason("blob_missing"));
    expect(await store.verify(newName(), 5)).toBe("missing");
  });
}

function damage(open: () => BlobStoreSubject): void {
  it("detects a changed byte anywhere", async () => {
    const { store, change } = open();
    const size = 3;
    const name = await stored(store, randomBytes(size));
    let length = 0;
    await change(name, (bytes) => {
      length = bytes.length;
      return bytes;
    });
    expect(length).toBeGreaterThan(size);
    for (let at = 0; at < length; at++) {
      await change(name, flipped(at));
      expect(await store.verify(name, size), `byte ${at}`).toBe("damaged");
      await expect(readAll(store, name, { size }), `byte ${at}`).rejects.toEqual(withReason("blob_damaged"));
      await change(name, flipped(at));
    }
    expect(await store.verify(name, size)).toBe("ok");
  });

  it("yields no byte of a damaged block, in ranges too", async () => {
    const { store, change } = open();
    const size = 5 * BLOCK + 7;
    const bytes = randomBytes(size);
    const name = await stored(store, bytes);
    await change(name, flipped(2 * BLOCK + 5));
    let read = 0;
    const whole = async () => {
      for await (const chunk of store.read(name, { size })) {
        expect(bytes.subarray(read, read + chunk.length).equals(chunk)).toBe(true);
        read += chunk.length;
      }
    };
    await expect(whole()).rejects.toEqual(withReason("blob_damaged"));
    expect(read).toBeLessThanOrEqual(2 * BLOCK);
    const range = { start: 2 * BLOCK + 100, end: 2 * BLOCK + 101 };
    await expect(readAll(store, name, { size, range })).rejects.toEqual(withReason("blob_damaged"));
    const after = { start: 4 * BLOCK + 1, end: size };
    expect((await readAll(store, name, { size, range: after })).equals(bytes.subarray(after.start))).toBe(true);
  });

  it.each([
    ["is shorter", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["lost its end", (bytes: Buffer) => bytes.subarray(0, 1000)],
    ["is empty", () => Buffer.alloc(0)],
    ["is zeros", (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ])("detects a blob that %s", async (_what, change) => {
    const subject = open();
    for (const size of [2000, 3 * BLOCK]) {
      const name = await stored(subject.store, randomBytes(size));
      await subject.change(name, change);
      expect(await subject.store.verify(name, size)).toBe("damaged");
      await expect(readAll(subject.store, name, { size })).rejects.toEqual(withReason("blob_damaged"));
    }
  });

  it("detects that a blob has another size than the object", async () => {
    const { store } = open();
    const name = await stored(store, randomBytes(100));
    for (const size of [0, 99, 101, BLOCK + 1]) expect(await store.verify(name, size), `${size}`).toBe("damaged");
  });
}

function naming(open: () => BlobStoreSubject): void {
  it("removes blobs, also more than a thousand at once, and ignores names that do not exist", async () => {
    const { store } = open();
    const [first, kept] = [await stored(store, randomBytes(10)), await stored(store, randomBytes(10))];
    await store.remove([...Array.from({ length: 1500 }, () => newName()), first]);
    expect([await store.verify(first, 10), await store.verify(kept, 10)]).toEqual(["missing", "ok"]);
    await store.remove([]);
  });

  it("lists blobs by their age", async () => {
    const { store } = open();
    const [first, second] = [await stored(store, randomBytes(10)), newName("bkt_9")];
    await store.copy(first, second, 10);
    const found = await namesIn(store, new Date(Date.now() + 60_000));
    expect(found).toEqual(expect.arrayContaining([first, second]));
    expect(new Set(found).size).toBe(found.length);
    expect(await namesIn(store, new Date(Date.now() - 60_000))).toEqual([]);
  });

  it("keeps what is being stored when it removes what was interrupted", async () => {
    const { store } = open();
    const name = newName();
    const bytes = randomBytes(9 * MIB);
    async function* slow() {
      yield bytes.subarray(0, 8 * MIB + 5);
      await store.removeUnfinished({ olderThan: new Date(Date.now() - 3_600_000) });
      yield bytes.subarray(8 * MIB + 5);
    }
    await store.put(name, slow());
    expect(await store.verify(name, bytes.length)).toBe("ok");
  });

  it.each([
    ["", "a", "a/b", "a/b/c/d", "/a/b", "a//b", "../b/c", "a/../c", "a/b/..", "a/b/.x", "a/b/c\\d", "a/b/c\0", "a/b/é"],
  ])("refuses names that no blob has", async (...wrong) => {
    const { store } = open();
    for (const name of wrong) {
      await expect(store.put(name, chunked(randomBytes(1))), name).rejects.toThrow("is not the name of a blob");
      await expect(readAll(store, name, { size: 1 }).then(), name).rejects.toThrow("is not the name of a blob");
      await expect(store.copy(name, newName(), 1), name).rejects.toThrow("is not the name of a blob");
      await expect(store.copy(newName(), name, 1), name).rejects.toThrow("is not the name of a blob");
      await expect(store.remove([name]), name).rejects.toThrow("is not the name of a blob");
      await expect(store.verify(name, 1), name).rejects.toThrow("is not the name of a blob");
    }
  });

  it("can be used", async () => {
    await open().store.ping();
  });
}
