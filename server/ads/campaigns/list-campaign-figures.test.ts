import { describe, expect, it } from "vitest";
import { adsTest, call, makeAdvertiser, makeCampaign, refusal } from "../../../test/factories/ads";
import { eventually } from "../../../test/factories/app";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { openForFile } from "../../../test/factories/open-for-file";
import { sendEvents } from "../../../test/factories/report-events";
import { createClickHouseClient } from "../../engines/clickhouse/connect-clickhouse";
import { uuidv7 } from "../../kernel/ids";
import { deleteCampaign } from "./delete-campaign";
import { listCampaignFigures } from "./list-campaign-figures";

const RECENT = "2026-11-19T08:00:00Z";
/** More than 30 days before the clock of the test. */
const OLD = "2026-10-01T08:00:00Z";

const ads = await openForFile(adsTest());
const clickhouse = await openForFile(testClickHouse());
const tenant = await ads.tenant();
const ctx = { ...tenant.key("live"), clickhouse: clickhouse.client };
const { id: advertiser_id } = await makeAdvertiser(ctx);
const make = async (name: string, bid_micros: number, status = "active") =>
  (await makeCampaign(ctx, { advertiser_id, name, bid_micros, status })).id;
const [boots, , lanterns, wool] = [
  await make("Boots 2", 300_000),
  await make("boots 10", 900_000, "paused"),
  await make("Lanterns", 600_000),
  await make("100% wool", 100_000),
];
const event = (table: string, campaign_id: string, at = RECENT) => ({
  table,
  row: {
    at,
    served_at: at,
    tenant_id: tenant.id,
    buyer_tenant_id: tenant.id,
    campaign_id,
    mode: "live",
    traffic: "",
    channel_id: "chn_1",
    creative_id: "crv_1",
    offer_id: uuidv7(1),
    placement: "p",
    geo: "DE",
    device: "mobile",
    house: 0,
    charge_nanos: table === "clicks" ? "250000000" : "0",
    earning_nanos: "0",
  },
});
await sendEvents(clickhouse.client, [
  ...["impressions", "impressions", "clicks"].map((table) => event(table, boots)),
  ...["impressions", "impressions", "impressions", "impressions", "clicks"].map((table) => event(table, lanterns)),
  ...["impressions", "clicks"].map((table) => event(table, wool, OLD)),
]);

/** Once there are figures: on a busy machine they may come too late for one call. */
async function list(input: object, as = ctx) {
  const once = () => call(as, listCampaignFigures, { limit: 100, ...input });
  let page = await once();
  await eventually(async () => {
    if (page.data.some(({ figures }) => figures === null)) page = await once();
    return page.data.every(({ figures }) => figures !== null);
  });
  return page;
}
const names = async (input: object) => (await list(input)).data.map(({ name }) => name);

describe("campaigns with figures", () => {
  it("have those of the last 30 days, and zeros without events", async () => {
    const { data } = await list({});
    expect(Object.fromEntries(data.map(({ name, figures }) => [name, figures]))).toEqual({
      "Boots 2": { impressions: 2, clicks: 1, ctr: 0.5, spend_micros: 250_000 },
      Lanterns: { impressions: 4, clicks: 1, ctr: 0.25, spend_micros: 250_000 },
      "boots 10": { impressions: 0, clicks: 0, ctr: null, spend_micros: 0 },
      "100% wool": { impressions: 0, clicks: 0, ctr: null, spend_micros: 0 },
    });
  });

  it("are sorted by what is asked for", async () => {
    expect(await names({ sort: "name", order: "asc" })).toEqual(["100% wool", "Boots 2", "boots 10", "Lanterns"]);
    expect(await names({ sort: "bid" })).toEqual(["boots 10", "Lanterns", "Boots 2", "100% wool"]);
    expect((await names({ sort: "impressions" })).slice(0, 2)).toEqual(["Lanterns", "Boots 2"]);
    expect((await names({ sort: "ctr" })).slice(0, 2)).toEqual(["Boots 2", "Lanterns"]);
    expect((await names({ sort: "clicks", order: "asc" })).slice(2).sort()).toEqual(["Boots 2", "Lanterns"]);
    expect(await names({})).toEqual((await names({ order: "asc" })).toReversed());
  });

  it("are found by a part of their name, in which no character is special", async () => {
    expect(await names({ search: "BOOTS", sort: "bid" })).toEqual(["boots 10", "Boots 2"]);
    expect(await names({ search: "boots", status: "paused" })).toEqual(["boots 10"]);
    expect(await names({ search: "0%" })).toEqual(["100% wool"]);
    expect(await names({ search: "_" })).toEqual([]);
  });

  it("are paged in the order that they are sorted in, with cursors for that order only", async () => {
    const first = await list({ sort: "bid", limit: 3 });
    expect(first.data.map(({ name }) => name)).toEqual(["boots 10", "Lanterns", "Boots 2"]);
    const rest = await list({ sort: "bid", limit: 3, cursor: first.next_cursor });
    expect([rest.data.map(({ name }) => name), rest.next_cursor]).toEqual([["100% wool"], null]);
    expect(await refusal(list({ sort: "name", limit: 3, cursor: first.next_cursor }))).toMatchObject({
      details: { reason: "cursor_invalid" },
    });
  });

  it("are those of one tenant and mode that are not archived", async () => {
    const stranger = { ...(await ads.tenant()).key("live"), clickhouse: clickhouse.client };
    expect((await list({}, stranger)).data).toEqual([]);
    const gone = await makeCampaign(ctx, { name: "Gone" });
    await call(ctx, deleteCampaign, { id: gone.id });
    expect(await names({ search: "Gone" })).toEqual([]);
  });

  it("are listed without figures while ClickHouse is away", async () => {
    const away = createClickHouseClient("http://127.0.0.1:1/none");
    const { data } = await call({ ...ctx, clickhouse: away }, listCampaignFigures, { limit: 100, sort: "spend" });
    await away.close();
    expect(data.map(({ figures }) => figures)).toEqual([null, null, null, null]);
  });
});
