import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign, makeChannel, makeCreative } from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { createChannelKey } from "../channels/create-channel-key";
import { listAttention } from "./list-attention";

const HOUR_MS = 3_600_000;

let ctx: AdsCtx;
let tenantId: string;

const [ads, clickhouse] = await Promise.all([adsTest(), testClickHouse()]);
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
  (await call(ctx, listAttention, { mode: "live" })).map(({ kind, id }) => [kind, id]);

/** An active live campaign that has something to serve. */
async function campaign(fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await makeCampaign(ctx, { mode: "live", bid_micros: 500_000, ...fields });
  await makeCreative(ctx, id);
  return id;
}

const spend = (id: string, day: string, nanos: bigint) =>
  ads.sql.query("INSERT INTO campaign_spend VALUES ($1, $2, $3)", [id, day, nanos.toString()]);

describe("campaigns that need attention", () => {
  it("do not include one whose budgets cover one more click", async () => {
    const id = await campaign({ daily_budget_micros: 2_000_000, total_budget_micros: 3_000_000 });
    await spend(id, "2026-11-20", 1_500_000_000n);
    expect(await noted()).toEqual([]);
  });

  it("include one whose daily budget does not, until the next day in its time zone", async () => {
    const id = await campaign({ daily_budget_micros: 2_000_000, timezone: "Asia/Tokyo" });
    // At 08:00 UTC it is the 20th in Tokyo.
    await spend(id, "2026-11-19", 2_000_000_000n);
    expect(await noted()).toEqual([]);
    await spend(id, "2026-11-20", 1_600_000_000n);
    expect(await noted()).toEqual([["daily_budget_spent", id]]);
  });

  it("use a CPM bid as the price of a thousand impressions", async () => {
    const id = await campaign({ model: "cpm", bid_micros: 1_000_000, total_budget_micros: 1_000_000 });
    await spend(id, "2026-11-01", 999_000_000n);
    expect(await noted()).toEqual([]);
    await spend(id, "2026-11-02", 1n);
    expect(await noted()).toEqual([["total_budget_spent", id]]);
  });

  it("include one past its end and one with nothing to serve, but not if they are paused", async () => {
    const ended = await campaign({ starts_at: "2026-11-01T00:00:00Z", ends_at: "2026-11-20T07:59:00Z" });
    const { id: bare } = await makeCampaign(ctx, { mode: "live" });
    // Created within one millisecond, the two have no defined order.
    expect(new Map(await noted())).toEqual(
      new Map([
        ["nothing_to_serve", bare],
        ["past_end", ended],
      ]),
    );
    await ads.sql.query("UPDATE campaigns SET status = 'paused' WHERE tenant_id = $1", [tenantId]);
    expect(await noted()).toEqual([]);
  });

  it("never include those of another tenant", async () => {
    await makeCampaign(ctx, { mode: "live" });
    const other = await ads.tenant();
    expect(await call({ ...other.person, clickhouse: clickhouse.client }, listAttention, { mode: "live" })).toEqual([]);
  });
});

describe("channels that need attention", () => {
  let channel: string;

  beforeEach(async () => {
    channel = (await makeChannel(ctx, { mode: "live" })).id;
    await call(ctx, createChannelKey, { id: channel, kind: "server" });
  });

  const happened = async (hoursAgo: number, counts: Record<string, number>) =>
    clickhouse.client.insert({
      table: "report_slots",
      format: "JSONEachRow",
      values: [
        {
          tenant_id: tenantId,
          mode: "live",
          channel_id: channel,
          ...counts,
          slot: Math.floor((ads.clock.now().getTime() - hoursAgo * HOUR_MS) / 1000),
        },
      ],
    });

  const aged = () => ads.sql.query("UPDATE channel_keys SET created_at = created_at - interval '2 days'");

  it("include one without requests only a day after its key was created", async () => {
    expect(await noted()).toEqual([]);
    await aged();
    expect(await noted()).toEqual([["unused_channel", channel]]);
  });

  it("include one with requests this week but none for a day", async () => {
    await aged();
    await happened(30, { requests: 5 });
    expect(await noted()).toEqual([["quiet_channel", channel]]);
    await happened(2, { requests: 1 });
    expect(await noted()).toEqual([]);
  });

  it("include one with too many uncounted events, once there are enough events", async () => {
    await happened(2, { requests: 100, impressions: 30, invalid_impressions: 19 });
    expect(await noted()).toEqual([]);
    await happened(1, { invalid_clicks: 1 });
    expect(await noted()).toEqual([["invalid_traffic", channel]]);
  });
});
