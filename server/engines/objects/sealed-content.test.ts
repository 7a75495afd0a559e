import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openContent, sealContent, sealedSize } from "./sealed-content";

const KIB = 1024;
const dataKey = randomBytes(32);

async function* chunksOf(bytes: Buffer, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const open = (stored: Buffer, size: number, { start = 0, end = size, key = dataKey } = {}) => {
  const read = (range: { start: number; end: number }) => chunksOf(stored.subarray(range.start, range.end), 1000);
  return whole(openContent({ name: "b", size, dataKey: key, read }, { start, end }));
};

it.each([0, 1, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 300 * KIB])(
  "a content of %i bytes is read as it was",
  async (size) => {
    const content = randomBytes(size);
    const stored = await whole(sealContent(chunksOf(content, 7777), dataKey));
    expect(stored.length).toBe(sealedSize(size));
    expect((await open(stored, size)).equals(content)).toBe(true);
    for (const [start, end] of [
      [0, 1],
      [size - 1, size],
      [64 * KIB - 1, 64 * KIB + 1],
      [70 * KIB, 200 * KIB],
    ] as const) {
      if (start < 0 || end > size) continue;
      expect((await open(stored, size, { start, end })).equals(content.subarray(start, end))).toBe(true);
    }
  },
);

it("the same content is stored as other bytes each time, and shows nothing of itself", async () => {
  const content = Buffer.alloc(10_000, "secret");
  const [one, two] = [
    await whole(sealContent(chunksOf(content, 99), dataKey)),
    await whole(sealContent(chunksOf(content, 99), dataKey)),
  ];
  expect(one.equals(two)).toBe(false);
  expect(one.includes("secret")).toBe(false);
});

it.each<[string, (stored: Buffer) => Buffer]>([
  [
    "a changed byte",
    (stored) => {
      stored[100_000] = (stored[100_000] ?? 0) ^ 1;
      return stored;
    },
  ],
  [
    "a changed salt",
    (stored) => {
      stored[0] = (stored[0] ?? 0) ^ 1;
      return stored;
    },
  ],
  [
    "exchanged blocks",
    (stored) => {
      const block = 64 * KIB + 16;
      const [a, b] = [stored.subarray(32, 32 + block), stored.subarray(32 + block, 32 + 2 * block)];
      return Buffer.concat([stored.subarray(0, 32), b, a, stored.subarray(32 + 2 * block)]);
    },
  ],
  ["a missing end", (stored) => stored.subarray(0, -1)],
])("with %s it is damaged", async (_, change) => {
  const size = 200 * KIB;
  const stored = await whole(sealContent(chunksOf(randomBytes(size), 5000), dataKey));
  await expect(open(change(stored), size)).rejects.toMatchObject({ details: { reason: "blob_damaged" } });
});

it("with another key it is damaged", async () => {
  const stored = await whole(sealContent(chunksOf(Buffer.from("content"), 3), dataKey));
  await expect(open(stored, 7, { key: randomBytes(32) })).rejects.toMatchObject({
    details: { reason: "blob_damaged" },
  });
});
