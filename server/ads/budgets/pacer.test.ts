import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { benchCampaign } from "../../../test/bench/relevance-scene";
import { ServingState } from "../matching/serving-state";
import type { ServingCampaign } from "../serving/serving";
import { ExpectedSpend } from "./expected-spend";
import { Pacer } from "./pacer";
import { withSpend } from "./spend";
import { TrafficProfiles } from "./traffic-profiles";

const STEP_MS = 5000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const at = (text: string) => Date.parse(text);
/** In nanos, for each hour at full rate. */
const SUPPLY_PER_HOUR = 1e9;
const usualSupply = (): number => SUPPLY_PER_HOUR;

interface Scene {
  campaign?: Partial<ServingCampaign>;
  from: string;
  /** In nanos per hour, at a given time. */
  supply?: (ms: number) => number;
  stepMs?: number;
}

/** A campaign whose offers immediately have their predicted cost. */
function scene({ campaign = {}, from, supply = usualSupply, stepMs = STEP_MS }: Scene) {
  const state = new ServingState();
  const expected = new ExpectedSpend();
  const pacer = new Pacer(state, expected);
  state.putCampaign({ ...benchCampaign, id: "cmp_1", pacing: "even", bidMicros: 1n, ...campaign });
  let [nowMs, served, today, total] = [at(from), 0, 0n, 0n];
  const now = () => state.campaign("cmp_1") as ServingCampaign;
  const spend = () => state.updateSpend(withSpend(now(), { spentTodayNanos: today, spentTotalNanos: total }));
  return {
    state,
    pacer,
    now,
    midnight: () => {
      today = 0n;
      spend();
    },
    /** Returns what was spent. */
    run: async (ms: number, readAt = () => nowMs) => {
      const before = total;
      for (const end = nowMs + ms; nowMs < end; nowMs += stepMs) {
        await pacer.pace(nowMs, readAt());
        const serves = now().status === "active" && nowMs >= (now().startsAtMs ?? 0) && !now().budgetSpent;
        const nanos = !serves ? 0 : (supply(nowMs) * stepMs * now().passRate) / HOUR_MS;
        served += nanos;
        expected.reconcile(new Map([["cmp_1", { nanos: 0, servedNanos: served, atMs: nowMs }]]));
        today += BigInt(Math.round(nanos));
        total += BigInt(Math.round(nanos));
        spend();
      }
      return Number(total - before);
    },
  };
}

describe("an even pace", () => {
  test("spends a whole daily budget evenly by the hour", async () => {
    const { run } = scene({ campaign: { dailyBudgetMicros: 2_400_000n }, from: "2026-11-20T00:00Z" });
    for (let hour = 0; hour < 24; hour++) expect((await run(HOUR_MS)) / 1e8, `hour ${hour}`).toBeCloseTo(1, 0);
    const whole = scene({ campaign: { dailyBudgetMicros: 2_400_000n }, from: "2026-11-20T00:00Z" });
    expect((await whole.run(24 * HOUR_MS)) / 2.4e9).toBeGreaterThan(0.99);
  });

  test("spreads the budget of a late start over the rest of the day, in the campaign's time zone", async () => {
    // 18:00 in Auckland; six hours of the day are left.
    const late = scene({
      campaign: { dailyBudgetMicros: 600_000n, timezone: "Pacific/Auckland" },
      from: "2026-11-20T05:00Z",
    });
    await late.run(15 * MINUTE_MS);
    expect((await late.run(HOUR_MS)) / 1e8).toBeCloseTo(1, 0.5);
  });

  test("begins a new day with its previous rate, not with the full rate", async () => {
    const { run, midnight, now } = scene({ campaign: { dailyBudgetMicros: 240_000n }, from: "2026-11-20T20:00Z" });
    await run(4 * HOUR_MS - 10 * MINUTE_MS);
    const before = now().passRate;
    expect(before).toBeLessThan(0.2);
    await run(10 * MINUTE_MS);
    midnight();
    expect(await run(HOUR_MS)).toBeLessThan(240e6 / 8);
  });

  test("plans a new day from that day's spend, even if it is read late", async () => {
    const { run, midnight } = scene({ campaign: { dailyBudgetMicros: 2_400_000n }, from: "2026-11-20T20:00Z" });
    await run(4 * HOUR_MS);
    await run(2 * STEP_MS);
    midnight();
    await run(HOUR_MS);
    expect((await run(4 * HOUR_MS)) / 4e8).toBeCloseTo(1, 1);
  });

  test("does not fall behind before its start", async () => {
    const campaign = { dailyBudgetMicros: 1_200_000n, startsAtMs: at("2026-11-20T12:00Z") };
    const { run } = scene({ campaign, from: "2026-11-20T00:00Z" });
    await run(12 * HOUR_MS + 15 * MINUTE_MS);
    expect((await run(HOUR_MS)) / 1e8).toBeCloseTo(1, 0.5);
  });

  test("spreads a total budget over the days until the campaign ends", async () => {
    const { run } = scene({
      campaign: { totalBudgetMicros: 7_200_000n, endsAtMs: at("2026-11-23T12:00Z") },
      from: "2026-11-20T12:00Z",
    });
    await run(HOUR_MS);
    expect((await run(12 * HOUR_MS)) / 1.2e9).toBeCloseTo(1, 1);
  });

  test("does not fall behind while paused", async () => {
    const { run, now, state } = scene({ campaign: { dailyBudgetMicros: 2_400_000n }, from: "2026-11-20T00:00Z" });
    await run(HOUR_MS);
    state.putCampaign({ ...now(), status: "paused" });
    await run(11 * HOUR_MS);
    state.putCampaign({ ...now(), status: "active", passRate: 0.1 });
    await run(MINUTE_MS);
    // 2.3 of 2.4 are left for half of the day.
    expect((await run(HOUR_MS)) / 1.92e8).toBeCloseTo(1, 0.5);
  });
});

test("spends at least 95 % of any budget for which there is enough traffic, although days differ", async () => {
  const hoursOf = (min: number, max: number) =>
    fc.array(fc.double({ min, max, noNaN: true }), { minLength: 24, maxLength: 24 });
  const plenty = fc.double({ min: 1.6, max: 100, noNaN: true });
  const budget = 2_400_000;
  await fc.assert(
    fc.asyncProperty(hoursOf(0.2, 3), hoursOf(0.8, 1.25), plenty, async (hours, today, times) => {
      const sum = hours.reduce((total, one) => total + one, 0);
      const supply = (ms: number) => {
        const hour = Math.floor(ms / HOUR_MS) % 24;
        return (budget * 1000 * times * (hours[hour] ?? 0) * (today[hour] ?? 0)) / sum;
      };
      const campaign = { dailyBudgetMicros: BigInt(budget) };
      const { run, pacer } = scene({ campaign, from: "2026-11-20T00:00Z", supply, stepMs: 30_000 });
      const profiles = new TrafficProfiles();
      for (const [hour, share] of hours.entries()) {
        profiles.addChannel(benchCampaign.tenantId, "chn_1", { hour, requests: share * 1e6 });
      }
      pacer.putProfiles(profiles);
      expect((await run(24 * HOUR_MS)) / (budget * 1000)).toBeGreaterThan(0.95);
    }),
    { numRuns: 30 },
  );
});

describe("requests are not throttled", () => {
  const HOUR = HOUR_MS;
  const even = { dailyBudgetMicros: 240_000n };
  test.each([
    ["asap", { ...even, pacing: "asap" as const }],
    ["no budget", {}],
    ["a total budget without an end", { totalBudgetMicros: 240_000n }],
  ])("of a campaign with %s", async (_, campaign) => {
    const { run, now } = scene({ campaign, from: "2026-11-20T00:00Z" });
    await run(HOUR / 20);
    expect(now().passRate).toBe(1);
  });

  test("when spend could not be read for a minute, until it can be read again", async () => {
    const { run, now } = scene({ campaign: even, from: "2026-11-20T00:00Z" });
    await run(10 * MINUTE_MS);
    expect(now().passRate).toBeLessThan(0.1);
    await run(STEP_MS, () => at("2026-11-20T00:09:05Z"));
    expect(now().passRate).toBeLessThan(0.1);
    await run(STEP_MS, () => at("2026-11-20T00:08:59Z"));
    expect(now().passRate).toBe(1);
    await run(MINUTE_MS);
    expect(now().passRate).toBeLessThan(0.1);
  });
});
