import { beforeEach, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign } from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { openForFile } from "../../../test/factories/open-for-file";
import { deleteCampaign } from "../campaigns/delete-campaign";
import { updateCampaign } from "../campaigns/update-campaign";
import { forgetBudgetCrossings, recordBudgetCrossings } from "./record-budget-crossings";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [THRESHOLD, EXHAUSTED] = ["campaign.budget_threshold_crossed", "campaign.budget_exhausted"];

let ctx: AdsCtx;
let id: string;
const ads = await openForFile(adsTest());
beforeEach(async () => {
  await ads.db.campaign.deleteMany();
  ctx = (await ads.tenant()).key("live");
});

/** A campaign whose bid is a hundredth of its budgets of 1,000,000. */
const make = async (fields: Record<string, unknown>) => {
  ({ id } = await makeCampaign(ctx, { model: "cpc", bid_micros: 10_000, timezone: "UTC", ...fields }));
};
const today = () => ads.clock.now().toISOString().slice(0, 10);
const spend = (micros: number, day = today()) =>
  ads.sql.query(
    `INSERT INTO campaign_spend AS s (campaign_id, day, nanos) VALUES ($1, $2, $3)
     ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = s.nanos + excluded.nanos`,
    [id, day, micros * 1000],
  );
/** The type, budget, day and spend of the events that a run records. */
async function crossed(): Promise<unknown[][]> {
  const last = await ads.db.event.findFirst({ orderBy: { sequence: "desc" } });
  await recordBudgetCrossings(ads);
  const events = await ads.db.event.findMany({
    where: { sequence: { gt: last?.sequence ?? 0n } },
    orderBy: { sequence: "asc" },
  });
  return events.map(({ type, data }) => {
    const { budget, day, spent_micros } = data as Record<string, unknown>;
    return [type, budget, day, spent_micros];
  });
}

describe("a daily budget", () => {
  beforeEach(() => make({ daily_budget_micros: 1_000_000 }));

  it("is announced at 80 % and when less than a bid is left, once a day", async () => {
    await spend(799_999);
    expect(await crossed()).toEqual([]);
    await spend(1);
    expect(await crossed()).toEqual([[THRESHOLD, "daily", today(), 800_000]]);
    await spend(190_000);
    expect(await crossed()).toEqual([]);
    await spend(1);
    expect(await crossed()).toEqual([[EXHAUSTED, "daily", today(), 990_001]]);
    expect(await crossed()).toEqual([]);
    ads.clock.advance(DAY_MS);
    expect(await crossed()).toEqual([]);
    await spend(900_000);
    expect(await crossed()).toEqual([[THRESHOLD, "daily", today(), 900_000]]);
  });

  it("is announced for the last charges of a day after its end, under the terms of that day", async () => {
    const day = today();
    await spend(900_000);
    ads.clock.advance(DAY_MS);
    await call(ctx, updateCampaign, { id, daily_budget_micros: 1_100_000 });
    expect(await crossed()).toEqual([]);
    await ads.db.campaign.update({ where: { id }, data: { updatedAt: new Date(ads.clock.now().getTime() - DAY_MS) } });
    expect(await crossed()).toEqual([[THRESHOLD, "daily", day, 900_000]]);
  });

  it("is announced again when it was raised and is crossed again", async () => {
    await spend(1_000_000);
    expect((await crossed()).map(([type]) => type)).toEqual([THRESHOLD, EXHAUSTED]);
    await call(ctx, updateCampaign, { id, daily_budget_micros: 2_000_000 });
    expect(await crossed()).toEqual([]);
    await spend(600_000);
    expect(await crossed()).toEqual([[THRESHOLD, "daily", today(), 1_600_000]]);
  });

  it("concerns the campaign's own tenant, mode and time zone, without a project", async () => {
    await make({ daily_budget_micros: 1_000_000, timezone: "Pacific/Kiritimati" });
    const local = new Date(ads.clock.now().getTime() + 14 * HOUR_MS).toISOString().slice(0, 10);
    await spend(800_000, local);
    expect(await crossed()).toEqual([[THRESHOLD, "daily", local, 800_000]]);
    const event = await ads.db.event.findFirst({ orderBy: { sequence: "desc" } });
    expect(event).toMatchObject({ tenantId: ctx.actor.tenantId, mode: "live", projectId: null });
  });

  it("of an archived campaign is not announced", async () => {
    await spend(1_000_000);
    await call(ctx, deleteCampaign, { id });
    expect(await crossed()).toEqual([]);
  });
});

describe("a total budget", () => {
  beforeEach(() => make({ total_budget_micros: 1_000_000 }));

  it("is announced once ever, by what all days spent", async () => {
    await spend(500_000, "2026-01-01");
    await spend(300_000);
    expect(await crossed()).toEqual([[THRESHOLD, "total", null, 800_000]]);
    ads.clock.advance(10 * DAY_MS);
    await forgetBudgetCrossings(ads);
    await spend(195_000);
    expect(await crossed()).toEqual([[EXHAUSTED, "total", null, 995_000]]);
  });

  it("that was used up long ago is not announced", async () => {
    await spend(1_000_000, "2026-01-01");
    expect(await crossed()).toEqual([]);
  });
});

it("several processes at once announce a crossing once", async () => {
  await make({ daily_budget_micros: 1_000_000 });
  await spend(1_000_000);
  await Promise.all([1, 2, 3, 4].map(() => recordBudgetCrossings(ads)));
  const types = { in: [THRESHOLD, EXHAUSTED] };
  expect(await ads.db.event.count({ where: { tenantId: ctx.actor.tenantId, type: types } })).toBe(2);
});

it("reads every campaign, in batches, and forgets days but no totals", async () => {
  await make({ daily_budget_micros: 1_000_000, total_budget_micros: 1_000_000 });
  // Their ids are before the one with the spend.
  await ads.sql.query(
    `INSERT INTO campaigns SELECT c.* FROM generate_series(1, 1500) n,
       jsonb_populate_record(NULL::campaigns, $1::jsonb || jsonb_build_object('id', 'cmp_00' || n)) c`,
    [JSON.stringify(await rowOf(id))],
  );
  await spend(850_000);
  expect(await crossed()).toEqual([
    [THRESHOLD, "daily", today(), 850_000],
    [THRESHOLD, "total", null, 850_000],
  ]);
  ads.clock.advance(5 * DAY_MS);
  await forgetBudgetCrossings(ads);
  expect(await ads.db.budgetCrossing.findMany({ select: { period: true } })).toEqual([{ period: "total" }]);
});

async function rowOf(campaignId: string): Promise<unknown> {
  const { rows } = await ads.sql.query<{ row: unknown }>("SELECT to_jsonb(c) AS row FROM campaigns c WHERE id = $1", [
    campaignId,
  ]);
  return rows[0]?.row;
}
