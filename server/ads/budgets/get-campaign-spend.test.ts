import { afterAll, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign, refusal } from "../../../test/factories/ads";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { getCampaignPlan } from "./get-campaign-plan";
import { getCampaignSpend } from "./get-campaign-spend";

const [ads, clickhouse] = await Promise.all([adsTest(), testClickHouse()]);
const tenant = await ads.tenant();
const tenantId = tenant.id;
const ctx = { ...tenant.person, clickhouse: clickhouse.client };
afterAll(async () => {
  await ads?.close();
  await clickhouse?.close();
});

const slot = (at: string, nanos: number, of: { campaign: string; tenant?: string }) => ({
  tenant_id: of.tenant ?? tenantId,
  mode: "live",
  channel_id: "network",
  campaign_id: of.campaign,
  slot: Date.parse(at) / 1000,
  spend_nanos: nanos,
});

describe("the spend of a campaign", () => {
  it("covers today by quarter hour in its time zone, and past days from the ledger", async () => {
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
    expect(await call(ctx, getCampaignSpend, { id })).toEqual({
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

  it("is returned only to its own tenant", async () => {
    const { id } = await makeCampaign(ctx, { mode: "live" });
    const other = (await ads.tenant()).person;
    expect((await refusal(call(other, getCampaignSpend, { id }))).code).toBe("not_found");
    expect((await refusal(call(other, getCampaignPlan, { id }))).code).toBe("not_found");
  });
});

describe("the plan of a campaign's day", () => {
  const planOf = async (fields: Record<string, unknown>) => {
    const { id } = await makeCampaign(ctx, { mode: "live", ...fields });
    return (await call(ctx, getCampaignPlan, { id })).points;
  };

  it("rises from 0 to the budget, evenly if the traffic is unknown", async () => {
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

  it("uses today's share of the remaining total budget, unless the daily budget is less", async () => {
    const fields = { total_budget_micros: 40_000_000, ends_at: "2026-11-24T00:00:00Z" };
    expect((await planOf(fields)).at(-1)).toEqual({ at: "2026-11-21T00:00:00.000Z", planned_micros: 10_000_000 });
    const less = await planOf({ ...fields, daily_budget_micros: 6_000_000 });
    expect(less.at(-1)?.planned_micros).toBe(6_000_000);

    const { id } = await makeCampaign(ctx, { mode: "live", ...fields });
    await ads.sql.query("INSERT INTO campaign_spend VALUES ($1, '2026-11-19', 20000000000), ($1, '2026-11-20', 7)", [
      id,
    ]);
    const { points } = await call(ctx, getCampaignPlan, { id });
    expect(points.at(-1)?.planned_micros).toBe(5_000_000);
  });

  it("is empty if there is nothing to spread or the campaign does not run today", async () => {
    expect(await planOf({})).toEqual([]);
    expect(await planOf({ total_budget_micros: 40_000_000 })).toEqual([]);
    const daily_budget_micros = 10_000_000;
    expect(await planOf({ daily_budget_micros, starts_at: "2026-11-21T00:00:00Z" })).toEqual([]);
    expect(await planOf({ daily_budget_micros, ends_at: "2026-11-20T00:00:00Z" })).toEqual([]);
    expect(await planOf({ daily_budget_micros: 10_000_000, pacing: "asap" })).toEqual([]);
  });
});
