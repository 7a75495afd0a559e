import { describe, expect, it } from "vitest";
import { type ChunkSizes, cutChunks } from "./cut-chunks";

const SIZES: ChunkSizes = { min: 256, normal: 1024, max: 4096 };

/** The same bytes at each run: a linear congruential generator, of which the high bits are used. */
function bytesOf(seed: number, length: number): Buffer {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

async function* partsOf(bytes: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function chunksOf(bytes: Buffer, { part = 1000, sizes = SIZES } = {}): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of cutChunks(partsOf(bytes, part), sizes)) chunks.push(chunk);
  return chunks;
}

describe("chunks of a stream", () => {
  it("are its bytes in order, within the sizes, around the normal one", async () => {
    const bytes = bytesOf(1, 256 * 1024);
    const chunks = await chunksOf(bytes);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    for (const { length } of chunks.slice(0, -1)) expect(length >= SIZES.min && length <= SIZES.max).toBe(true);
    const mean = bytes.length / chunks.length;
    expect(mean).toBeGreaterThan(SIZES.normal * 0.75);
    expect(mean).toBeLessThan(SIZES.normal * 1.5);
  });

  it("do not depend on how the stream is divided", async () => {
    const bytes = bytesOf(2, 60_000);
    const expected = await chunksOf(bytes);
    for (const part of [333, 4096, 60_000]) expect(await chunksOf(bytes, { part })).toEqual(expected);
  });

  it("are the same beyond an insertion and a deletion", async () => {
    const bytes = bytesOf(3, 128 * 1024);
    const before = new Set((await chunksOf(bytes)).map((chunk) => chunk.toString("hex")));
    const edited = Buffer.concat([
      bytes.subarray(0, 60_000),
      Buffer.from("inserted"),
      bytes.subarray(60_000, 90_000),
      bytes.subarray(90_100),
    ]);
    const fresh = (await chunksOf(edited)).filter((chunk) => !before.has(chunk.toString("hex")));
    expect(fresh.length).toBeGreaterThan(0);
    expect(fresh.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(8 * SIZES.max);
  });

  it("have the largest size where all bytes are equal, and none exist of an empty stream", async () => {
    const chunks = await chunksOf(Buffer.alloc(10_000));
    expect(chunks.every(({ length }, at) => length <= SIZES.max && (at === chunks.length - 1 || length > 0))).toBe(
      true,
    );
    expect(Buffer.concat(chunks)).toHaveLength(10_000);
    expect(await chunksOf(Buffer.alloc(0))).toEqual([]);
  });

  it("are cut as in earlier versions, so that object storage has them already", async () => {
    const lengths = (await chunksOf(bytesOf(4, 8000))).map(({ length }) => length);
    expect(lengths).toMatchInlineSnapshot(`
      [
        999,
        1120,
        836,
        600,
        1105,
        609,
        1377,
        1326,
        28,
      ]
    `);
  });
});
