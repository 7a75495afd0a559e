import fc from "fast-check";
import { expect, it } from "vitest";
import { backoffMs } from "./backoff";
import { decimalOf, nanosPerEvent, nanosToMicros } from "./money";

it("charges a click its bid and an impression a thousandth of it, to the nano", () => {
  expect(nanosPerEvent("cpc", 1n)).toBe(1000n);
  expect(nanosPerEvent("cpm", 1n)).toBe(1n);
  expect(nanosPerEvent("cpm", 2_500_001n)).toBe(2_500_001n);
});

it("makes a thousand impressions cost exactly the bid", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), (bid) => {
      expect(nanosToMicros(nanosPerEvent("cpm", bid) * 1000n)).toBe(bid);
    }),
  );
});

it("writes nanos as exact decimals", () => {
  const amounts = [0n, 1n, 10_000_000n, 1_500_000_000n, 12_345_678_901n, -250_000_000n, 10n ** 18n];
  const texts = ["0.00", "0.000000001", "0.01", "1.50", "12.345678901", "-0.25", "1000000000.00"];
  expect(amounts.map(decimalOf)).toEqual(texts);
});

it("rounds half a micro up, once", () => {
  expect([499n, 500n, 1499n, 1500n].map(nanosToMicros)).toEqual([0n, 1n, 1n, 2n]);
});

it("backs off exponentially with full jitter, within its bounds", () => {
  const most = [0, 1, 2, 3, 20].map((attempt) => backoffMs(attempt, { baseMs: 100, maxMs: 1000, random: () => 1 }));
  expect(most).toEqual([100, 200, 400, 800, 1000]);
  expect(backoffMs(5, { random: () => 0 })).toBe(0);
});
