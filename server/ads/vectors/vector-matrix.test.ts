import { expect, it } from "vitest";
import { createDotProducts } from "./dot-products";
import { quantize } from "./quantize";
import { VectorMatrix } from "./vector-matrix";

/** Reproducible numbers from -1 to 1 (xorshift32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

const vectorsOf = (count: number, components: number, seed = 7): number[][] => {
  const next = random(seed);
  return Array.from({ length: count }, () => Array.from({ length: components }, next));
};

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const matrixOf = (vectors: readonly number[][], campaignOf = (_: number) => "cmp_1"): VectorMatrix => {
  const matrix = new VectorMatrix(2 ** 26);
  for (const [i, vector] of vectors.entries()) {
    matrix.put({ itemId: `prd_${i}`, campaignId: campaignOf(i), components: quantize(vector) });
  }
  return matrix;
};

it("computes the same dot products as a plain loop, also at the largest values", () => {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const dots = createDotProducts(memory);
  const bytes = new Int8Array(memory.buffer);
  const next = random(3);
  const [stride, rows, rowsAt, out] = [48, 37, 1024, 65_536];
  for (let i = 0; i < rowsAt + stride * rows; i++) bytes[i] = Math.round(next() * 127);
  bytes.fill(127, 0, stride);
  bytes.fill(-127, rowsAt, rowsAt + stride);
  dots({ query: 0, rows: rowsAt, stride, count: rows, out });
  const expected = Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < stride; i++) sum += (bytes[i] as number) * (bytes[rowsAt + row * stride + i] as number);
    return sum;
  });
  expect([...new Int32Array(memory.buffer, out, rows)]).toEqual(expected);
});

it.each([1, 15, 16, 17, 384])("finds the nearest of vectors with %d components in their order", async (components) => {
  const vectors = vectorsOf(40, components);
  const [query] = vectorsOf(1, components, 99) as [number[]];
  const { ids, cosines } = await matrixOf(vectors).nearest(quantize(query), -1);
  expect(ids).toHaveLength(40);
  for (const [at, id] of ids.entries()) {
    const exact = cosine(query, vectors[Number(id.slice(4))] as number[]);
    expect(cosines[at]).toBeCloseTo(exact, 1.9);
    expect(Math.abs((cosines[at] as number) - exact)).toBeLessThan(0.01);
  }
  expect([...cosines]).toEqual([...cosines].sort((a, b) => b - a));
});

it("compares every row of many slices", async () => {
  const vectors = vectorsOf(40_000, 8);
  const matrix = matrixOf(vectors, (i) => `cmp_${i % 1000}`);
  for (const i of [0, 16_383, 16_384, 39_999]) {
    const { ids, cosines } = await matrix.nearest(quantize(vectors[i] as number[]), 0.9999);
    expect(ids).toContain(`prd_${i}`);
    expect(cosines[0]).toBeCloseTo(1, 5);
  }
});

it("lets no campaign hide the items of another one", async () => {
  const near = [1, 0, 0.1];
  const matrix = matrixOf([...Array.from({ length: 5000 }, () => [1, 0, 0]), near], (i) =>
    i < 5000 ? "big" : "small",
  );
  const { ids } = await matrix.nearest(quantize([1, 0, 0]), 0.9);
  expect(ids).toHaveLength(65);
  expect(ids).toContain("prd_5000");
});

it("returns at most 512 items", async () => {
  const matrix = matrixOf(
    Array.from({ length: 3000 }, () => [1, 2]),
    (i) => `cmp_${i % 100}`,
  );
  expect((await matrix.nearest(quantize([1, 2]), 0.5)).ids).toHaveLength(512);
});

it("keeps what replaced and removed rows leave", async () => {
  const matrix = matrixOf([
    [1, 0],
    [0, 1],
    [-1, 0],
  ]);
  matrix.remove("prd_0");
  matrix.remove("prd_0");
  matrix.put({ itemId: "prd_1", campaignId: "cmp_2", components: quantize([1, 0]) });
  expect((await matrix.nearest(quantize([1, 0]), 0.5)).ids).toEqual(["prd_1"]);
  expect((await matrix.nearest(quantize([-1, 0]), 0.5)).ids).toEqual(["prd_2"]);
  expect(matrix.size).toBe(2);
  matrix.remove("prd_1");
  matrix.remove("prd_2");
  expect(matrix.put({ itemId: "prd_9", campaignId: "cmp_2", components: quantize([1, 2, 3]) })).toBe(true);
  expect((await matrix.nearest(quantize([1, 2, 3]), 0.5)).ids).toEqual(["prd_9"]);
});

it("rejects other numbers of components, zero vectors and what exceeds its memory", async () => {
  const matrix = new VectorMatrix(32);
  const put = (itemId: string, components: number[]) =>
    matrix.put({ itemId, campaignId: "cmp_1", components: Int8Array.from(components) });
  expect([put("a", [1, 2]), put("b", [1]), put("c", [0, 0]), put("d", [1, 1]), put("e", [1, 1])]).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect((await matrix.nearest(Int8Array.of(1), 0)).ids).toEqual([]);
  expect(matrix.bytes).toBe(32);
});
