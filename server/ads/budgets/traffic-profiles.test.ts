import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestClickHouse, testClickHouse } from "../../../test/factories/clickhouse";
import { ChargeRates } from "./charge-rates";
import { chargeRateReader } from "./load-charge-rates";
import { loadTrafficProfiles } from "./load-traffic-profiles";
import { TrafficProfile } from "./traffic-profile";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date("2026-11-20T12:20:00Z");
const at = (text: string) => Date.parse(text);
const evening = (count: number) => Array.from({ length: 24 }, (_, hour) => (hour === 20 ? count : 0));

describe("a traffic profile", () => {
  test("is even without history, and nearly even with little history", () => {
    const quarter = [at("2026-11-20T06:00Z"), at("2026-11-20T12:00Z")] as const;
    expect(TrafficProfile.uniform.daysBetween(...quarter)).toBeCloseTo(0.25, 10);
    expect(new TrafficProfile(evening(12)).daysBetween(...quarter)).toBeCloseTo(0.25, 2);
  });

  test("expects traffic at the hours in which it came before, evenly within the hour", () => {
    const profile = new TrafficProfile(evening(1_000_000));
    expect(profile.daysBetween(at("2026-11-20T20:00Z"), at("2026-11-20T20:30Z"))).toBeCloseTo(0.5, 2);
    expect(profile.daysBetween(at("2026-11-20T06:00Z"), at("2026-11-20T12:00Z"))).toBeLessThan(0.001);
  });

  test("adds up: any 24 hours are one day, and parts sum to the whole", () => {
    const moment = fc.integer({ min: 0, max: 4e12 });
    const counts = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(counts, moment, moment, moment, (hours, ...moments) => {
        const profile = new TrafficProfile(hours);
        const [a, b, c] = moments.toSorted((x, y) => x - y) as [number, number, number];
        expect(profile.daysBetween(a, a + DAY_MS)).toBeCloseTo(1, 6);
        expect(profile.daysBetween(a, b) + profile.daysBetween(b, c)).toBeCloseTo(profile.daysBetween(a, c), 6);
        expect(profile.daysBetween(b, a)).toBe(0);
      }),
    );
  });
});

describe("from the rollups", () => {
  let clickhouse: TestClickHouse;
  beforeAll(async () => {
    clickhouse = await testClickHouse();
  });
  afterAll(() => clickhouse.close());

  const insert = (values: object[]) =>
    clickhouse.client.insert({ table: "report_slots", values, format: "JSONEachRow" });
  const slot = (ms: number) => Math.floor(ms / 1000);
  const requests = (ms: number, count: number, change: object = {}) => ({
    tenant_id: "ten_1",
    mode: "live",
    channel_id: "chn_1",
    slot: slot(ms),
    geo: "DE",
    requests: count,
    ...change,
  });
  const audience = (change: object = {}) => ({
    tenantId: "ten_1",
    reach: "tenant" as const,
    targeting: { channels: [], geos: [] },
    ...change,
  });
  /** The share of a day from 20:00 to 21:00. */
  const eveningShare = (profile: TrafficProfile) =>
    profile.daysBetween(at("2026-11-20T20:00Z"), at("2026-11-20T21:00Z"));

  test("stays even with less than a day of history", async () => {
    await insert([requests(at("2026-11-20T02:00Z"), 900_000, { tenant_id: "ten_0", channel_id: "chn_0", geo: "FR" })]);
    const profiles = await loadTrafficProfiles(clickhouse.client, NOW);
    expect(eveningShare(profiles.of(audience({ tenantId: "ten_0" })))).toBeCloseTo(1 / 24, 10);
  });

  test("counts live requests of whole days, for the audience that a campaign has", async () => {
    await insert([
      requests(at("2026-11-18T11:00Z"), 10),
      ...[18, 19].map((day) => requests(at(`2026-11-${day}T20:15Z`), 1_000_000)),
      ...[19, 20].map((day) => requests(at(`2026-11-${day}T04:15Z`), 1_000_000, { channel_id: "chn_2", geo: "US" })),
      requests(at("2026-11-19T20:15Z"), 9e9, { mode: "test", channel_id: "chn_2" }),
      requests(at("2026-11-20T12:15Z"), 9e9, { channel_id: "chn_2" }),
      { ...requests(at("2026-11-19T20:15Z"), 0, { channel_id: "chn_2" }), campaign_id: "cmp_1", served: 9e9 },
    ]);
    const profiles = await loadTrafficProfiles(clickhouse.client, NOW);
    const share = (change: object) => eveningShare(profiles.of(audience(change)));
    expect(share({})).toBeCloseTo(0.5, 2);
    expect(share({ targeting: { channels: ["chn_1"], geos: [] } })).toBeCloseTo(1, 2);
    expect(share({ targeting: { channels: ["chn_2"], geos: [] } })).toBeCloseTo(0, 2);
    expect(share({ reach: "network", targeting: { channels: [], geos: ["DE"] } })).toBeCloseTo(1, 2);
    expect(share({ tenantId: "ten_unknown" })).toBeCloseTo(1 / 24, 10);
  });

  test("predicts the cost of offers from the outcomes of the campaign's offers", async () => {
    const row = { tenant_id: "ten_1", mode: "live", channel_id: "network", slot: slot(NOW.getTime() - DAY_MS) };
    await insert([
      { ...row, campaign_id: "cmp_views", served: 100_000, impressions: 80_000, clicks: 2000 },
      { ...row, campaign_id: "cmp_old", slot: slot(NOW.getTime() - 8 * DAY_MS), served: 100_000, impressions: 1 },
    ]);
    const rates = await chargeRateReader(clickhouse.client)(NOW);
    expect(rates.of("cmp_views", "cpm")).toBeCloseTo(0.8, 3);
    expect(rates.of("cmp_views", "cpc")).toBeCloseTo(0.02, 3);
    expect(rates.of("cmp_old", "cpm")).toBe(new ChargeRates().of("", "cpm"));
  });
});
