import fc from "fast-check";
import { expect, test } from "vitest";
import type { DatedClaim } from "./claims.sql";
import { dayKey, withinBudgets } from "./within-budgets";

const claim = fc.record({
  campaignId: fc.constantFrom("cmp_1", "cmp_2"),
  day: fc.constantFrom("2026-11-20", "2026-11-21"),
  chargeNanos: fc.integer({ min: 1, max: 50_000 }),
});
const micros = fc.option(fc.bigInt({ min: 1n, max: 200n }));
const budget = fc.record({ timezone: fc.constant("UTC"), dailyMicros: micros, totalMicros: micros });
const nanos = fc.bigInt({ min: 0n, max: 250_000n });

test("whatever comes in which order, no budget is exceeded by what is billed, and nothing that fits goes unbilled", () => {
  fc.assert(
    fc.property(
      fc.array(claim, { maxLength: 40 }),
      fc.array(budget, { minLength: 2, maxLength: 2 }),
      nanos,
      (asked, limits, spent) => {
        const claims: DatedClaim[] = asked.map((one, i) => ({
          offerId: `${i}`,
          at: 0,
          clickId: null,
          row: {},
          ...one,
        }));
        const budgets = new Map(limits.map((limit, i) => [`cmp_${i + 1}`, limit]));
        const today = new Map(asked.map((one) => [dayKey(one), spent]));
        const total = new Map(asked.map(({ campaignId }) => [campaignId, 2n * spent]));
        const [ofDay, ofAll] = [new Map<string, bigint>(today), new Map<string, bigint>(total)];
        for (const [i, { chargeNanos, row }] of withinBudgets(claims, budgets, { today, total }).entries()) {
          const one = claims[i] as DatedClaim;
          const limit = budgets.get(one.campaignId);
          const dayAfter = (ofDay.get(dayKey(one)) ?? 0n) + BigInt(one.chargeNanos);
          const allAfter = (ofAll.get(one.campaignId) ?? 0n) + BigInt(one.chargeNanos);
          const fits =
            (limit?.dailyMicros == null || dayAfter <= limit.dailyMicros * 1000n) &&
            (limit?.totalMicros == null || allAfter <= limit.totalMicros * 1000n);
          expect(chargeNanos).toBe(fits ? one.chargeNanos : 0);
          expect(row.traffic).toBe(fits ? undefined : "over_budget");
          if (!fits) continue;
          ofDay.set(dayKey(one), dayAfter);
          ofAll.set(one.campaignId, allAfter);
        }
      },
    ),
  );
});
