import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { benchCampaign } from "../../../test/bench/relevance-scene";
import { type TestDatabase, testDatabase } from "../../../test/factories/postgres";
import { ServingState } from "../matching/serving-state";
import { ExpectedSpend, SETTLES_AFTER_MS } from "./expected-spend";
import { isBudgetSpent, refreshSpend } from "./spend";

const NOW = Date.parse("2026-11-20T12:00:00Z");

describe("a budget counts as used up", () => {
  const campaign = { ...benchCampaign, bidMicros: 1000n, dailyBudgetMicros: 100_000n };
  const spent = (events: number) => ({ spentTodayNanos: BigInt(events) * 1_000_000n, spentTotalNanos: 0n });

  test("when the next event would not fit", () => {
    expect(isBudgetSpent(campaign, spent(99))).toBe(false);
    expect(isBudgetSpent(campaign, { ...spent(99), spentTodayNanos: 99_000_001n })).toBe(true);
  });

  test("when the mean plus one standard deviation of unsettled offers may use the rest", () => {
    // 8 + √8 events are less than 11; 9 + √9 are more.
    expect(isBudgetSpent(campaign, { ...spent(89), pendingNanos: 8e6 })).toBe(false);
    expect(isBudgetSpent(campaign, { ...spent(89), pendingNanos: 9e6 })).toBe(true);
  });
});

describe("two processes", () => {
  let database: TestDatabase;
  const made = () => ({ state: new ServingState(), expected: new ExpectedSpend() });
  const [one, other] = [made(), made()];
  beforeAll(async () => {
    database = await testDatabase();
    for (const { state } of [one, other])
      state.putCampaign({ ...benchCampaign, id: "cmp_1", bidMicros: 1000n, totalBudgetMicros: 100_000n });
  });
  afterAll(() => database.close());

  test("know their own served offers immediately and the other's once written to Postgres", async () => {
    one.expected.note("cmp_1", 30e6);
    expect(one.expected.pendingNanos("cmp_1", NOW)).toBe(30e6);
    await refreshSpend(database.sql, one, new Date(NOW));
    other.expected.note("cmp_1", 12e6);
    await refreshSpend(database.sql, other, new Date(NOW));
    expect(other.expected.pendingNanos("cmp_1", NOW)).toBeCloseTo(42e6, 3);
    expect(other.expected.servedNanos("cmp_1")).toBeCloseTo(42e6, 3);
    await refreshSpend(database.sql, one, new Date(NOW));
    expect(one.expected.pendingNanos("cmp_1", NOW)).toBeCloseTo(42e6, 3);
  });

  test("decay events that do not arrive, in memory and in Postgres", async () => {
    const later = NOW + SETTLES_AFTER_MS;
    expect(one.expected.pendingNanos("cmp_1", later)).toBeCloseTo(42e6 / Math.E, 0);
    one.expected.note("cmp_1", 1e6);
    await refreshSpend(database.sql, one, new Date(later));
    expect(one.expected.pendingNanos("cmp_1", later)).toBeCloseTo(42e6 / Math.E + 1e6, 0);
    expect(one.expected.servedNanos("cmp_1")).toBeCloseTo(43e6, 0);
    // Long enough that exp() would fail in Postgres.
    one.expected.note("cmp_1", 1e6);
    await refreshSpend(database.sql, one, new Date(later + 1e10));
    expect(one.expected.pendingNanos("cmp_1", later + 1e10)).toBeCloseTo(1e6, 0);
  });

  test("stop when their unsettled offers fill the budget, and resume if the events do not arrive", async () => {
    const at = NOW + 2e10;
    for (const { expected } of [one, other]) expected.note("cmp_1", 60e6);
    for (const each of [one, other, one]) await refreshSpend(database.sql, each, new Date(at));
    for (const { state } of [one, other]) expect(state.campaign("cmp_1")?.budgetSpent).toBe(true);
    await refreshSpend(database.sql, one, new Date(at + 2 * SETTLES_AFTER_MS));
    expect(one.state.campaign("cmp_1")?.budgetSpent).toBe(false);
  });

  test("keep what could not be written", async () => {
    const at = NOW + 4e10;
    one.expected.note("cmp_1", 5e6);
    await database.sql.query("ALTER TABLE campaign_pending RENAME TO away");
    await expect(refreshSpend(database.sql, one, new Date(at))).rejects.toThrow();
    await database.sql.query("ALTER TABLE away RENAME TO campaign_pending");
    expect(one.expected.pendingNanos("cmp_1", at)).toBeCloseTo(5e6, 0);
    await refreshSpend(database.sql, one, new Date(at));
    await refreshSpend(database.sql, other, new Date(at));
    expect(other.expected.pendingNanos("cmp_1", at)).toBeCloseTo(5e6, 0);
  });
});
