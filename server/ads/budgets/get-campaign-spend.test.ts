import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign, refusal } from "../../../test/factories/ads";
import { type TestClickHouse, testClickHouse } from "../../../test/factories/clickhouse";
import type { AdsCtx } from "../ads-ctx";
import { GetCampaignPlan, getCampaignPlan } from "./get-campaign-plan";
import { GetCampaignSpend, getCampaignSpend } from "./get-campaign-spend";

let ads: Awaited<ReturnType<typeof adsTest>>;
let clickhouse: TestClickHouse;
let ctx: AdsCtx;
let tenantId: string;

beforeAll(async () => {
  [ads, clickhouse] = await Promise.all([adsTest(), testClickHouse()]);
  const tenant = await ads.tenant();
  tenantId = tenant.id;
  ctx = { ...tenant.person, clickhouse: clickhouse.client };
});
afterAll(async () => {
  await ads?.close();
  await clickhouse?.close();
});

const slot = (at: string, nanos: number, of: { campaign: string; tenant?: string }) => ({
  ...{ tenant_id: of.tenant ?? tenantId, mode: "live", channel_id: "network", campaign_id: of.campaign },
  slot: Date.parse(at) / 1000,
  spend_nanos: nanos,
});

describe("the spend of a campaign", () => {
  it("is today's by the quarter hour in its own time zone, and the days' from the ledger", async () => {
    const { id } = await makeCampaign(ctx, { mode: "live", timezone: "Europe/Berlin" });
    for (const [day, nanos] of [
      ["2026-11-18", 4_000_500],
      ["2026-11-20", 3_000_000],
    ] as const) {
      await ads.sql.query("INSERT INTO campaign_spend VALUES ($1, $2, $3)", [id, day, nanos]);
    }
    await clickhouse.client.insert({
      table: "report_slots",
      format: "JSONEachRow",
      values: [
        slot("2026-11-19T22:45:00Z", 900_000, { campaign: id }),
        slot("2026-11-19T23:00:00Z", 1_000_000, { campaign: id }),
        slot("2026-11-20T07:00:00Z", 1_500_000, { campaign: id }),
        slot("2026-11-20T07:00:00Z", 500_000, { campaign: id }),
        slot("2026-11-20T07:00:00Z", 7_000_000, { campaign: "cmp_other" }),
        slot("2026-11-20T07:00:00Z", 7_000_000, { campaign: id, tenant: "ten_other" }),
      ],
    });
    expect(await call(ctx, [GetCampaignSpend, getCampaignSpend], { id })).toEqual({
      day: "2026-11-20",
      day_from: "2026-11-19T23:00:00.000Z",
      day_to: "2026-11-20T23:00:00.000Z",
      today_micros: 3_000,
      total_micros: 7_001,
      slots: [
        { at: "2026-11-19T23:00:00.000Z", spend_micros: 1_000 },
        { at: "2026-11-20T07:00:00.000Z", spend_micros: 2_000 },
      ],
      days: [
        { day: "2026-11-18", spend_micros: 4_001 },
        { day: "2026-11-20", spend_micros: 3_000 },
      ],
    });
  });

  it("is told to its own tenant alone", async () => {
    const { id } = await makeCampaign(ctx, { mode: "live" });
    const other = (await ads.tenant()).person;
    expect((await refusal(call(other, [GetCampaignSpend, getCampaignSpend], { id }))).code).toBe("not_found");
    expect((await refusal(call(other, [GetCampaignPlan, getCampaignPlan], { id }))).code).toBe("not_found");
  });
});

describe("the plan of a campaign's day", () => {
  const planOf = async (fields: Record<string, unknown>) => {
    const { id } = await makeCampaign(ctx, { mode: "live", ...fields });
    return (await call(ctx, [GetCampaignPlan, getCampaignPlan], { id })).points;
  };

  it("rises from nothing to the budget, evenly where nothing is known of the traffic", async () => {
    const points = await planOf({ daily_budget_micros: 24_000_000 });
    expect(points).toHaveLength(25);
    expect(points[0]).toEqual({ at: "2026-11-20T00:00:00.000Z", planned_micros: 0 });
    expect(points[6]).toEqual({ at: "2026-11-20T06:00:00.000Z", planned_micros: 6_000_000 });
    expect(points[24]).toEqual({ at: "2026-11-21T00:00:00.000Z", planned_micros: 24_000_000 });
  });

  it("begins and ends with the campaign on its first and last day", async () => {
    const points = await planOf({
      daily_budget_micros: 10_000_000,
      starts_at: "2026-11-20T06:30:00Z",
      ends_at: "2026-11-20T16:00:00Z",
    });
    expect(points[0]).toEqual({ at: "2026-11-20T06:30:00.000Z", planned_micros: 0 });
    expect(points.at(-1)).toEqual({ at: "2026-11-20T16:00:00.000Z", planned_micros: 10_000_000 });
  });

  it("takes its part of what is left of a total budget until the end, unless the daily one is less", async () => {
    const fields = { total_budget_micros: 40_000_000, ends_at: "2026-11-24T00:00:00Z" };
    expect((await planOf(fields)).at(-1)).toEqual({ at: "2026-11-21T00:00:00.000Z", planned_micros: 10_000_000 });
    const less = await planOf({ ...fields, daily_budget_micros: 6_000_000 });
    expect(less.at(-1)?.planned_micros).toBe(6_000_000);

    const { id } = await makeCampaign(ctx, { mode: "live", ...fields });
    await ads.sql.query("INSERT INTO campaign_spend VALUES ($1, '2026-11-19', 20000000000), ($1, '2026-11-20', 7)", [
      id,
    ]);
    const { points } = await call(ctx, [GetCampaignPlan, getCampaignPlan], { id });
    expect(points.at(-1)?.planned_micros).toBe(5_000_000);
  });

  it("is empty where nothing is to be spread, or nothing runs today", async () => {
    expect(await planOf({})).toEqual([]);
    expect(await planOf({ total_budget_micros: 40_000_000 })).toEqual([]);
    const daily_budget_micros = 10_000_000;
    expect(await planOf({ daily_budget_micros, starts_at: "2026-11-21T00:00:00Z" })).toEqual([]);
    expect(await planOf({ daily_budget_micros, ends_at: "2026-11-20T00:00:00Z" })).toEqual([]);
    expect(await planOf({ daily_budget_micros: 10_000_000, pacing: "asap" })).toEqual([]);
  });
});
