import type { ClickHouseClient } from "@clickhouse/client";
import { expect, it } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { openForFile } from "../../../test/factories/open-for-file";
import { createClickHouseClient } from "../../engines/clickhouse/connect-clickhouse";
import { chargeRateReader } from "../budgets/load-charge-rates";
import { countsIn } from "./campaign-counts.sql";
import { clickRateReader } from "./load-click-rates";

const HOUR_MS = 3_600_000;
/** ClickHouse reads at least this many rows of a part. */
const BLOCK_ROWS = 8192;
const NOW = new Date("2026-11-20T12:30:00Z");

const clickhouse = await openForFile(testClickHouse());
/** Rejects a query that cannot use the hourly projection. */
const forced = await openForFile(
  createClickHouseClient(`${clickhouse.url}&clickhouse_setting_force_optimize_projection_name=by_hour_campaign`),
);

const slotAt = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

const count = (hoursAgo: number, ...rows: object[]) =>
  clickhouse.client.insert({
    table: "report_slots",
    values: rows.map((fields) => ({
      tenant_id: "ten_1",
      mode: "live",
      channel_id: "network",
      campaign_id: "cmp_1",
      creative_id: "crv_1",
      slot: slotAt(NOW.getTime() - hoursAgo * HOUR_MS),
      ...fields,
    })),
    format: "JSONEachRow",
  });

it("rates cover the whole window, count each event once and include events that are counted during the read", async () => {
  await count(0, { served: 10, impressions: 4, clicks: 1 });
  await count(3, { served: 100, impressions: 40, clicks: 10, creative_id: "crv_2" });
  await count(3, { served: 1000, impressions: 400, clicks: 100, mode: "test" });
  await count(72, { served: 10_000, impressions: 4000, clicks: 1000 });
  await count(24 * 20, { served: 100_000, impressions: 40_000, clicks: 10_000 });
  await count(24 * 40, { served: 1e9, impressions: 1e9, clicks: 1e9 });
  await count(1, { served: 1e9, impressions: 1e9, campaign_id: "network", creative_id: "" });
  const [clickRates, chargeRates] = [clickRateReader(forced), chargeRateReader(forced)];
  const seen = async (now = NOW) => {
    const rates = await clickRates(now);
    return ["crv_1", "crv_2", ""].map((id) => rates.of("cmp_1", id).seen);
  };
  expect(await seen()).toEqual([
    { impressions: 44_404, clicks: 11_101 },
    { impressions: 40, clicks: 10 },
    { impressions: 44_444, clicks: 11_111 },
  ]);
  const viewed = async () => (await chargeRates(NOW)).of("cmp_1", "cpm");
  expect(await viewed()).toBeCloseTo((4044 + 25) / (10_110 + 50), 10);
  await count(0, { served: 0, impressions: 5, clicks: 2 });
  expect((await seen())[2]).toEqual({ impressions: 44_449, clicks: 11_113 });
  expect(await viewed()).toBeCloseTo((4049 + 25) / (10_110 + 50), 10);
  // Late events of a past hour are included within an hour.
  await count(3, { impressions: 50, clicks: 20 });
  expect((await seen(new Date(NOW.getTime() + HOUR_MS)))[2]).toEqual({ impressions: 44_499, clicks: 11_133 });
});

/** The rows that a query of the client reads, as counted by ClickHouse. */
async function rowsReadBy(run: (client: ClickHouseClient) => Promise<unknown>): Promise<number> {
  let rows = Number.NaN;
  const query: ClickHouseClient["query"] = async (params) => {
    const result = await forced.query({ ...params, clickhouse_settings: { wait_end_of_query: 1 } });
    rows = JSON.parse(String(result.response_headers["x-clickhouse-summary"])).read_rows;
    return result;
  };
  await run(new Proxy(forced, { get: (client, name) => (name === "query" ? query : Reflect.get(client, name)) }));
  return Number(rows);
}

it("reading the last hours reads one or two blocks, whatever the size of the history", async () => {
  await clickhouse.client.command({
    query: `INSERT INTO report_slots (tenant_id, mode, channel_id, slot, campaign_id, creative_id, impressions)
      SELECT 'ten_2', 'live', 'network', toDateTime({now:String}, 'UTC') - INTERVAL 3 + number % 400 HOUR,
        concat('cmp_', toString(intDiv(number, 400))), '', 1 FROM numbers(100000)`,
    query_params: { now: slotAt(NOW.getTime()) },
  });
  await clickhouse.client.command({ query: "OPTIMIZE TABLE report_slots FINAL" });
  const from = (hours: number) => ({ fromMs: NOW.getTime() - (hours + 0.5) * HOUR_MS, toMs: Number.POSITIVE_INFINITY });
  expect(await rowsReadBy((client) => countsIn(client, from(1000), "any"))).toBeGreaterThan(100_000);
  expect(await rowsReadBy((client) => countsIn(client, from(1), "any"))).toBeLessThan(3 * BLOCK_ROWS);
});
