import { expect, it } from "vitest";
import { divideMinor, minorOf, minorText } from "./money";

it("rounds half up to the smallest unit of the currency", () => {
  expect([4_999_999n, 5_000_000n, 14_999_999n, 0n].map((nanos) => minorOf(nanos, "USD"))).toEqual([0n, 1n, 1n, 0n]);
  expect([499_999_999n, 500_000_000n].map((nanos) => minorOf(nanos, "JPY"))).toEqual([0n, 1n]);
  expect([minorText(1234n, "USD"), minorText(7n, "JPY"), minorText(1n, "KWD")]).toEqual(["12.34", "7.00", "0.001"]);
});

it("divides a rounded total so that the parts add up to it, and none is a unit away from its amount", () => {
  let state = 1;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return BigInt(state % below);
  };
  for (let round = 0; round < 500; round++) {
    const amounts = Array.from({ length: Number(random(9)) + 1 }, () => random(100_000_000));
    const total = minorOf(
      amounts.reduce((sum, amount) => sum + amount, 0n),
      "USD",
    );
    const parts = divideMinor(amounts, { total, currency: "USD" });
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
    for (const [i, part] of parts.entries()) {
      const distance = part * 10_000_000n - (amounts[i] ?? 0n);
      expect(distance > -10_000_000n && distance < 10_000_000n).toBe(true);
    }
  }
});
