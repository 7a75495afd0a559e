import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign, makeChannel, makeCreative } from "../../../test/factories/ads";
import { type TestClickHouse, testClickHouse } from "../../../test/factories/clickhouse";
import type { AdsCtx } from "../ads-ctx";
import { CreateChannelKey, createChannelKey } from "../channels/create-channel-key";
import { ListAttention, listAttention } from "./list-attention";

const HOUR_MS = 3_600_000;

let ads: Awaited<ReturnType<typeof adsTest>>;
let clickhouse: TestClickHouse;
let ctx: AdsCtx;
let tenantId: string;

beforeAll(async () => {
  [ads, clickhouse] = await Promise.all([adsTest(), testClickHouse()]);
});
afterAll(async () => {
  await ads?.close();
  await clickhouse?.close();
});
beforeEach(async () => {
  const tenant = await ads.tenant();
  tenantId = tenant.id;
  ctx = { ...tenant.person, clickhouse: clickhouse.client };
});

const noted = async (): Promise<[string, string][]> =>
  (await call(ctx, [ListAttention, listAttention], { mode: "live" })).map(({ kind, id }) => [kind, id]);

/** An active live campaign that has something to serve. */
async function campaign(fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await makeCampaign(ctx, { mode: "live", bid_micros: 500_000, ...fields });
  await makeCreative(ctx, id);
  return id;
}

const spend = (id: string, day: string, nanos: bigint) =>
  ads.sql.query("INSERT INTO campaign_spend VALUES ($1, $2, $3)", [id, day, nanos.toString()]);

describe("campaigns that need attention", () => {
  it("leaves one alone whose budgets still pay for one more click", async () => {
    const id = await campaign({ daily_budget_micros: 2_000_000, total_budget_micros: 3_000_000 });
    await spend(id, "2026-11-20", 1_500_000_000n);
    expect(await noted()).toEqual([]);
  });

  it("names one whose day does not, and forgets it on the next day of its own time zone", async () => {
    const id = await campaign({ daily_budget_micros: 2_000_000, timezone: "Asia/Tokyo" });
    // At 08:00 UTC it is the 20th in Tokyo.
    await spend(id, "2026-11-19", 2_000_000_000n);
    expect(await noted()).toEqual([]);
    await spend(id, "2026-11-20", 1_600_000_000n);
    expect(await noted()).toEqual([["daily_budget_spent", id]]);
  });

  it("counts a CPM bid as the price of a thousand views", async () => {
    const id = await campaign({ model: "cpm", bid_micros: 1_000_000, total_budget_micros: 1_000_000 });
    await spend(id, "2026-11-01", 999_000_000n);
    expect(await noted()).toEqual([]);
    await spend(id, "2026-11-02", 1n);
    expect(await noted()).toEqual([["total_budget_spent", id]]);
  });

  it("names one past its end, and one with nothing to serve, and neither once paused", async () => {
    const ended = await campaign({ starts_at: "2026-11-01T00:00:00Z", ends_at: "2026-11-20T07:59:00Z" });
    const { id: bare } = await makeCampaign(ctx, { mode: "live" });
    // Made within one millisecond, the two have no order.
    expect(new Map(await noted())).toEqual(
      new Map([
        ["nothing_to_serve", bare],
        ["past_end", ended],
      ]),
    );
    await ads.sql.query("UPDATE campaigns SET status = 'paused' WHERE tenant_id = $1", [tenantId]);
    expect(await noted()).toEqual([]);
  });

  it("tells no tenant of another's", async () => {
    await makeCampaign(ctx, { mode: "live" });
    const other = await ads.tenant();
    expect(
      await call({ ...other.person, clickhouse: clickhouse.client }, [ListAttention, listAttention], { mode: "live" }),
    ).toEqual([]);
  });
});

describe("channels that need attention", () => {
  let channel: string;

  beforeEach(async () => {
    channel = (await makeChannel(ctx, { mode: "live" })).id;
    await call(ctx, [CreateChannelKey, createChannelKey], { id: channel, kind: "server" });
  });

  const happened = async (hoursAgo: number, counts: Record<string, number>) =>
    clickhouse.client.insert({
      table: "report_slots",
      format: "JSONEachRow",
      values: [
        {
          ...{ tenant_id: tenantId, mode: "live", channel_id: channel, ...counts },
          slot: Math.floor((ads.clock.now().getTime() - hoursAgo * HOUR_MS) / 1000),
        },
      ],
    });

  const aged = () => ads.sql.query("UPDATE channel_keys SET created_at = created_at - interval '2 days'");

  it("gives a new key a day before it wonders why nobody asked", async () => {
    expect(await noted()).toEqual([]);
    await aged();
    expect(await noted()).toEqual([["unused_channel", channel]]);
  });

  it("names one that asked this week and not for a day", async () => {
    await aged();
    await happened(30, { requests: 5 });
    expect(await noted()).toEqual([["quiet_channel", channel]]);
    await happened(2, { requests: 1 });
    expect(await noted()).toEqual([]);
  });

  it("names one where too much does not count, once there is enough to tell", async () => {
    await happened(2, { requests: 100, impressions: 30, invalid_impressions: 19 });
    expect(await noted()).toEqual([]);
    await happened(1, { invalid_clicks: 1 });
    expect(await noted()).toEqual([["invalid_traffic", channel]]);
  });
});
