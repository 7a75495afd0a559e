import fc from "fast-check";
import { expect, test } from "vitest";
import type { DatedClaim } from "./claims.sql";
import { dayKey, withinBudgets } from "./within-budgets";

const claim = fc.record({
  campaignId: fc.constantFrom("cmp_1", "cmp_2"),
  day: fc.constantFrom("2026-11-20", "2026-11-21"),
  chargeNanos: fc.integer({ min: 1, max: 50_000 }),
  payerId: fc.constantFrom(null, "ten_1", "ten_2"),
});
const micros = fc.option(fc.bigInt({ min: 1n, max: 200n }));
const budget = fc.record({ timezone: fc.constant("UTC"), dailyMicros: micros, totalMicros: micros });
const nanos = fc.bigInt({ min: 0n, max: 250_000n });

test("in any order, no budget or balance is exceeded, and every charge that fits is billed", () => {
  fc.assert(
    fc.property(
      fc.array(claim, { maxLength: 40 }),
      fc.array(budget, { minLength: 2, maxLength: 2 }),
      fc.tuple(nanos, nanos),
      (requested, limits, [spent, available]) => {
        const claims: DatedClaim[] = requested.map((one, i) => ({
          offerId: `${i}`,
          at: 0,
          clickId: null,
          row: {},
          ...one,
        }));
        const budgets = new Map(limits.map((limit, i) => [`cmp_${i + 1}`, limit]));
        const today = new Map(requested.map((one) => [dayKey(one), spent]));
        const total = new Map(requested.map(({ campaignId }) => [campaignId, 2n * spent]));
        const left = new Map([["ten_1", available]]);
        const balances = new Map(left);
        const [ofDay, ofAll] = [new Map<string, bigint>(today), new Map<string, bigint>(total)];
        const spend = { today, total };
        for (const [i, { chargeNanos, row }] of withinBudgets(claims, budgets, { spend, balances }).entries()) {
          const one = claims[i] as DatedClaim;
          const limit = budgets.get(one.campaignId);
          const dayAfter = (ofDay.get(dayKey(one)) ?? 0n) + BigInt(one.chargeNanos);
          const allAfter = (ofAll.get(one.campaignId) ?? 0n) + BigInt(one.chargeNanos);
          const fits =
            (limit?.dailyMicros == null || dayAfter <= limit.dailyMicros * 1000n) &&
            (limit?.totalMicros == null || allAfter <= limit.totalMicros * 1000n);
          const restAfter = (left.get(one.payerId ?? "") ?? 0n) - BigInt(one.chargeNanos);
          const isPaid = one.payerId === null || restAfter >= 0n;
          expect(chargeNanos).toBe(fits && isPaid ? one.chargeNanos : 0);
          expect(row.traffic).toBe(fits ? (isPaid ? undefined : "no_balance") : "over_budget");
          if (!fits || !isPaid) continue;
          if (one.payerId !== null) left.set(one.payerId, restAfter);
          ofDay.set(dayKey(one), dayAfter);
          ofAll.set(one.campaignId, allAfter);
        }
      },
    ),
  );
});

test("a claim without a charge is never over budget, however high the spend", () => {
  const free: DatedClaim = {
    offerId: "1",
    at: 0,
    clickId: null,
    row: {},
    campaignId: "cmp_1",
    day: "2026-11-20",
    chargeNanos: 0,
    payerId: "ten_1",
  };
  const budgets = new Map([["cmp_1", { timezone: "UTC", dailyMicros: 1n, totalMicros: 1n }]]);
  const spend = { today: new Map([[dayKey(free), 9_000n]]), total: new Map([["cmp_1", 9_000n]]) };
  expect(withinBudgets([free], budgets, { spend, balances: new Map() })).toEqual([free]);
});
