import { expect, test } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { openForFile } from "../../../test/factories/open-for-file";
import { uuidv7 } from "../../kernel/ids";

const clickhouse = await openForFile(testClickHouse());

const PLACE = { placement: "sponsored_result", geo: "DE", device: "desktop" };
const BOUGHT = { advertiser_id: "adv_1", campaign_id: "cmp_1", creative_id: "crt_1", product_id: "" };
const PAID = { traffic: "", charge_nanos: "9007199254740993", earning_nanos: "6305039478318695", house: 0 };

function click(change: Record<string, unknown> = {}) {
  const at = "2026-10-31T23:59:59.999Z";
  return {
    at,
    served_at: at,
    offer_id: uuidv7(Date.parse(at)),
    click_id: "c",
    channel_id: "chn_1",
    mode: "live",
    tenant_id: "ten_publisher",
    buyer_tenant_id: "ten_buyer",
    locale: "en",
    ...PLACE,
    ...BOUGHT,
    ...PAID,
    ...change,
  };
}

const send = (table: string, values: unknown[], token: string) =>
  clickhouse.client.insert({
    table,
    values,
    format: "JSONEachRow",
    clickhouse_settings: { insert_deduplication_token: token },
  });

async function selectRows<T>(query: string, params: Record<string, unknown> = {}): Promise<T[]> {
  const result = await clickhouse.client.query({ query, query_params: params, format: "JSONEachRow" });
  return result.json<T>();
}

const slotsOf = (tenant: string) =>
  selectRows(
    `SELECT slot, mode, channel_id, campaign_id, creative_id, traffic, sum(clicks) AS clicks,
      sum(invalid_clicks) AS invalid, sum(spend_nanos) AS spend, sum(earnings_nanos) AS earnings
     FROM report_slots WHERE tenant_id = {tenant:String} GROUP BY ALL ORDER BY ALL`,
    { tenant },
  );

const SLOT = { slot: "2026-10-31 23:45:00", mode: "live", traffic: "" };

test("publisher and buyer each get their own row, with their own money and names only", async () => {
  await send("clicks", [click()], "two viewers");
  const counted = { ...SLOT, clicks: "1", invalid: "0" };
  expect(await slotsOf("ten_publisher")).toEqual([
    {
      ...counted,
      channel_id: "chn_1",
      campaign_id: "network",
      creative_id: "",
      spend: "0",
      earnings: "6305039478318695",
    },
  ]);
  expect(await slotsOf("ten_buyer")).toEqual([
    {
      ...counted,
      channel_id: "network",
      campaign_id: "cmp_1",
      creative_id: "crt_1",
      spend: "9007199254740993",
      earnings: "0",
    },
  ]);
});

test("an event within one tenant gives one row with everything", async () => {
  await send("clicks", [click({ tenant_id: "ten_own", buyer_tenant_id: "ten_own", earning_nanos: 0 })], "one viewer");
  expect(await slotsOf("ten_own")).toEqual([
    {
      ...SLOT,
      channel_id: "chn_1",
      campaign_id: "cmp_1",
      creative_id: "crt_1",
      clicks: "1",
      invalid: "0",
      spend: "9007199254740993",
      earnings: "0",
    },
  ]);
});

test("a house offer is labeled `house`, and an invalid click counts under its reason", async () => {
  const house = { tenant_id: "ten_new", house: 1, charge_nanos: 0, earning_nanos: 0, traffic: "bot" };
  await send("clicks", [click(house)], "house");
  expect(await slotsOf("ten_new")).toEqual([
    {
      ...SLOT,
      traffic: "bot",
      channel_id: "chn_1",
      campaign_id: "house",
      creative_id: "",
      clicks: "0",
      invalid: "1",
      spend: "0",
      earnings: "0",
    },
  ]);
});

test("only the buyer sees the value of a conversion", async () => {
  const at = "2026-10-31T23:59:59.999Z";
  const conversion = {
    at,
    clicked_at: at,
    conversion_id: "cnv_1",
    order_id: "o",
    click_id: "c",
    offer_id: uuidv7(0),
    mode: "live",
    tenant_id: "ten_p",
    buyer_tenant_id: "ten_b",
    channel_id: "chn_1",
    ...PLACE,
    ...BOUGHT,
    value_micros: 5_000_000,
    currency: "USD",
  };
  await send("conversions", [conversion], "conversion");
  const seen = await selectRows(
    `SELECT tenant_id, campaign_id, sum(conversions) AS n, sum(conversion_value_micros) AS value FROM report_slots
     WHERE tenant_id IN ('ten_p', 'ten_b') GROUP BY ALL ORDER BY ALL`,
  );
  expect(seen).toEqual([
    { tenant_id: "ten_b", campaign_id: "cmp_1", n: "1", value: "5000000" },
    { tenant_id: "ten_p", campaign_id: "network", n: "1", value: "0" },
  ]);
});

test("a pixel's conversion and its reversal are exact in any order and with any number of retries", async () => {
  const at = "2026-10-31T23:59:59.999Z";
  const pixel = (sign: number) => ({
    at,
    clicked_at: at,
    conversion_id: "cnv_2",
    order_id: "o",
    click_id: "c",
    offer_id: uuidv7(0),
    mode: "live",
    tenant_id: "ten_p2",
    buyer_tenant_id: "ten_b2",
    channel_id: "chn_1",
    ...PLACE,
    ...BOUGHT,
    value_micros: 5_000_000,
    currency: "USD",
    source: "pixel",
    sign,
  });
  const sums = () =>
    selectRows(`SELECT (SELECT sum(sign) FROM conversions WHERE tenant_id = 'ten_p2') AS events,
      (SELECT sum(sign * value_micros) FROM conversions WHERE tenant_id = 'ten_p2') AS value,
      (SELECT sum(conversions) FROM pixel_slots WHERE tenant_id = 'ten_p2') AS publisher,
      (SELECT sum(conversion_value_micros) FROM pixel_slots WHERE tenant_id = 'ten_b2') AS buyer,
      (SELECT count() FROM report_slots WHERE tenant_id IN ('ten_p2', 'ten_b2')) AS verified`);
  for (let time = 1; time <= 2; time++) await send("conversions", [pixel(1)], "pixel");
  expect(await sums()).toEqual([{ events: "1", value: "5000000", publisher: "1", buyer: "5000000", verified: "0" }]);
  for (let time = 1; time <= 2; time++) await send("conversions", [pixel(-1)], "taken back");
  await send("conversions", [pixel(1)], "pixel");
  expect(await sums()).toEqual([{ events: "0", value: "0", publisher: "0", buyer: "0", verified: "0" }]);
  await send("conversions", [pixel(-1)], "another, before");
  await send("conversions", [pixel(1)], "another, after");
  expect(await sums()).toEqual([{ events: "0", value: "0", publisher: "0", buyer: "0", verified: "0" }]);
});

test("a batch sent again under its token changes neither events nor sums, however late and across months", async () => {
  const tenant_id = "ten_replay";
  const batch = (n: number) =>
    Array.from({ length: 400 }, (_, i) =>
      click({
        tenant_id,
        campaign_id: `cmp_${i % 7}`,
        at: i % 2 ? "2026-10-31T23:59:59.999Z" : "2026-11-01T00:00:00Z",
        click_id: `${n}`,
      }),
    );
  const batches = Array.from({ length: 8 }, (_, n) => batch(n));
  for (const [n, rows] of batches.entries()) await send("clicks", rows, `outbox:${n}`);
  const state = () =>
    selectRows(`SELECT (SELECT count() FROM clicks WHERE tenant_id = '${tenant_id}') AS events,
      (SELECT sum(clicks) FROM report_slots WHERE tenant_id = '${tenant_id}') AS publisher,
      (SELECT sum(spend_nanos) FROM report_slots WHERE campaign_id = 'cmp_6') AS buyer`);
  const before = await state();
  expect(before).toMatchObject([{ events: "3200", publisher: "3200" }]);
  for (const [n, rows] of batches.entries()) await send("clicks", rows, `outbox:${n}`);
  expect(await state()).toEqual(before);
});

test("equal batches under different tokens are both kept", async () => {
  const rows = [click({ tenant_id: "ten_equal" }), click({ tenant_id: "ten_equal" })];
  await send("clicks", rows, "equal:1");
  await send("clicks", rows, "equal:2");
  expect(await slotsOf("ten_equal")).toMatchObject([{ clicks: "4" }]);
});

test("a batch that failed between its events and their sums is completed when it is sent again", async () => {
  const rows = [click({ tenant_id: "ten_crash" })];
  const [view] = await selectRows<{ statement: string }>("SHOW CREATE TABLE report_clicks");
  await clickhouse.client.command({ query: "DROP TABLE report_clicks SYNC" });
  await send("clicks", rows, "crash");
  await clickhouse.client.command({ query: view?.statement ?? "" });
  expect(await slotsOf("ten_crash")).toEqual([]);
  for (let time = 1; time <= 2; time++) await send("clicks", rows, "crash");
  expect(await slotsOf("ten_crash")).toMatchObject([{ clicks: "1" }]);
  expect(await selectRows("SELECT count() AS n FROM clicks WHERE tenant_id = 'ten_crash'")).toEqual([{ n: "1" }]);
});

test("a test database rejects a row with a column that does not exist", async () => {
  await expect(send("clicks", [click({ chanel_id: "chn_1" })], "typo")).rejects.toThrow("chanel_id");
});
