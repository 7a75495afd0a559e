import { expect, it } from "vitest";
import { seededRandom } from "../../../../test/bench/seeded-random";
import type { Tensor } from "./parse-header";
import { planShards } from "./plan-shards";

const f32 = (name: string, count: number): Tensor => ({ name, dtype: "F32", shape: [count], bytes: count * 4 });
const plan = (tensors: Tensor[], shards: number, dtype?: "f16") =>
  planShards({ tensors, metadata: undefined }, { dtype, shards }).shards;
const dataOf = ({ size, head }: { size: number; head: Uint8Array }) => size - head.length;

/** The least possible size of the largest shard, by trying every division. */
function leastMaximum(sizes: number[], shards: number): number {
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (shards === 1) return sum;
  const options = sizes.map((_, i) =>
    Math.max(
      leastMaximum(sizes.slice(0, i), shards - 1),
      sizes.slice(i).reduce((total, size) => total + size, 0),
    ),
  );
  return Math.min(sum, ...options);
}

it("keeps the order, divides no tensor, and makes the largest shard as small as possible", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 60; round++) {
    const tensors = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, i) =>
      f32(`t${i}`, Math.floor(random() * 9)),
    );
    const count = 1 + Math.floor(random() * 5);
    const shards = plan(tensors, count);
    expect(shards).toHaveLength(Math.min(count, tensors.length));
    expect(shards.flatMap((shard) => shard.tensors)).toEqual(tensors.map(({ name }) => name));
    expect(shards.every((shard) => shard.tensors.length > 0)).toBe(true);
    expect(Math.max(...shards.map(dataOf))).toBe(
      leastMaximum(
        tensors.map(({ bytes }) => bytes),
        count,
      ),
    );
  }
});

it("balances the bytes after the conversion, and converts adjacent tensors of a dtype together", () => {
  const integers: Tensor = { name: "i", dtype: "I64", shape: [100], bytes: 800 };
  const shards = plan([integers, f32("a", 200), f32("b", 200)], 2, "f16");
  expect(shards.map(dataOf)).toEqual([800, 800]);
  expect(shards.map(({ runs }) => runs)).toEqual([
    [{ from: "I64", to: "I64", bytes: 800 }],
    [{ from: "F32", to: "F16", bytes: 1600 }],
  ]);
});

it("aligns the data of every shard to 8 bytes", () => {
  for (const name of ["a", "ab", "abc", "abcd", "é"])
    expect(plan([f32(name, 1)], 1)[0]?.head.length).toSatisfy((n: number) => n % 8 === 0);
});
