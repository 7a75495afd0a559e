import { describe, expect, it } from "vitest";
import {
  adsTest,
  call,
  faultsOf,
  feedBoot,
  makeAdvertiser,
  makeCampaign,
  makeCreative,
  ndjson,
  refusal,
  uploadFeed,
} from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { deleteCreative } from "../creatives/delete-creative";
import { COUNTRIES } from "./countries";
import { createCampaign } from "./create-campaign";
import { deleteCampaign } from "./delete-campaign";
import { getCampaign } from "./get-campaign";
import { listCampaigns } from "./list-campaigns";
import { updateCampaign } from "./update-campaign";

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");

const required = { advertiser_id: "adv_x", name: "Winter", model: "cpc", bid_micros: 100 };
const update = (id: string, fields: object) => call(ctx, updateCampaign, { id, ...fields });

it("a campaign tells how many creatives and products it has", async () => {
  const { id } = await makeCampaign(ctx);
  expect(await call(ctx, getCampaign, { id })).toMatchObject({ items: 0 });
  const creative = await makeCreative(ctx, id, { title: "Boots" });
  await uploadFeed(ctx, ndjson(feedBoot("1"), feedBoot("2")), { id });
  const { data } = await call(ctx, listCampaigns, { limit: 100 });
  expect(data.find((campaign) => campaign.id === id)).toMatchObject({ items: 3 });
  await call(ctx, deleteCreative, { id, creative_id: creative.id });
  expect(await call(ctx, getCampaign, { id })).toMatchObject({ items: 2 });
});

describe("creation", () => {
  it("applies the documented defaults and returns the campaign as created", async () => {
    const made = await makeCampaign(ctx);
    expect(made).toMatchObject({
      mode: "live",
      currency: "USD",
      bid_micros: 500_000,
      daily_budget_micros: null,
      total_budget_micros: null,
      starts_at: null,
      ends_at: null,
      timezone: "UTC",
      pacing: "even",
      reach: "tenant",
      status: "active",
      caps: [],
      targeting: { geos: [], devices: [], locales: [], placements: [], categories: [], channels: [] },
      keywords: [],
      attribution: { click_days: 30, view_days: 1 },
    });
    expect(await call(ctx, getCampaign, { id: made.id })).toEqual(made);
  });

  it("normalizes every field", async () => {
    const made = await makeCampaign(ctx, {
      daily_budget_micros: 1e15,
      starts_at: "2026-12-01T00:00:00+01:00",
      ends_at: "2026-12-31T00:00:00Z",
      timezone: "europe/berlin",
      caps: [{ count: 3, window_seconds: 86_400 }],
      targeting: { geos: ["de", "DE", "at"], devices: ["mobile"], locales: ["pt-br"], categories: ["Home > Kitchen"] },
      keywords: [
        { text: "Boots", match: "exact" },
        { text: "boots", match: "exact" },
      ],
      attribution: { view_days: 0 },
    });
    expect(made).toMatchObject({
      daily_budget_micros: 1e15,
      starts_at: "2026-11-30T23:00:00.000Z",
      timezone: "Europe/Berlin",
      caps: [{ count: 3, window_seconds: 86_400, per: "campaign" }],
      targeting: { geos: ["DE", "AT"], locales: ["pt-BR"], categories: ["Home>Kitchen"], placements: [] },
      keywords: [{ text: "boots", match: "exact" }],
      attribution: { click_days: 30, view_days: 0 },
    });
  });

  it.each([
    [{ bid_micros: 0 }, ["bid_micros"]],
    [{ bid_micros: -1 }, ["bid_micros"]],
    [{ bid_micros: 0.5 }, ["bid_micros"]],
    [{ bid_micros: 1e12 + 1 }, ["bid_micros"]],
    [{ bid_micros: "100" }, ["bid_micros"]],
    [{ daily_budget_micros: 2 ** 53 }, ["daily_budget_micros"]],
    [{ model: "cpa" }, ["model"]],
    [{ status: "live" }, ["status"]],
    [{ timezone: "Mars/Olympus" }, ["timezone"]],
    [{ timezone: "+01:00" }, ["timezone"]],
    [{ starts_at: "2026-12-01" }, ["starts_at"]],
    [{ starts_at: "2026-02-30T00:00:00Z" }, ["starts_at"]],
    [{ caps: [{ count: 0, window_seconds: 60 }] }, ["caps.0.count"]],
    [{ caps: [{ count: 1001, window_seconds: 60 }] }, ["caps.0.count"]],
    [{ caps: [{ count: 1, window_seconds: 59 }] }, ["caps.0.window_seconds"]],
    [{ caps: [{ count: 1, window_seconds: 180 * 86_400 + 1 }] }, ["caps.0.window_seconds"]],
    [{ caps: [{ count: 1, window_seconds: 60, per: "user" }] }, ["caps.0.per"]],
    [{ caps: [{ count: 1, window_seconds: 60, minutes: 1 }] }, ["minutes"]],
    [{ targeting: { geos: ["UK"] } }, ["targeting.geos.0"]],
    [{ targeting: { geos: ["DEU"] } }, ["targeting.geos.0"]],
    [{ targeting: { devices: ["watch"] } }, ["targeting.devices.0"]],
    [{ targeting: { locales: ["english"] } }, ["targeting.locales.0"]],
    [{ targeting: { placements: ["a\0"] } }, ["targeting.placements.0"]],
    [{ targeting: { cities: ["Bonn"] } }, ["cities"]],
    [{ keywords: [{ text: "x".repeat(81), match: "broad" }] }, ["keywords.0.text"]],
    [{ keywords: [{ text: " ", match: "broad" }] }, ["keywords.0.text"]],
    [{ keywords: [{ text: "boots", match: "fuzzy" }] }, ["keywords.0.match"]],
    [{ keywords: new Array(501).fill({ text: "boots", match: "broad" }) }, ["keywords"]],
    [{ attribution: { click_days: 91 } }, ["attribution.click_days"]],
    [{ attribution: { view_days: 31 } }, ["attribution.view_days"]],
    [{ currency: "EUR" }, ["currency"]],
  ])("rejects %j and names the field", (fields, faults) => {
    expect(faultsOf(createCampaign.input, { ...required, ...fields })).toEqual(faults);
  });

  it("accepts the largest caps, bids and keyword lists", () => {
    const keywords = Array.from({ length: 500 }, (_, i) => ({ text: `${i}`.padEnd(80, "x"), match: "phrase" }));
    const caps = [{ count: 1000, window_seconds: 180 * 86_400 }];
    expect(faultsOf(createCampaign.input, { ...required, bid_micros: 1e12, caps, keywords })).toEqual([]);
  });

  it.each([
    [{ bid_micros: 100, daily_budget_micros: 99 }, "daily_budget_micros"],
    [{ bid_micros: 100, total_budget_micros: 99 }, "total_budget_micros"],
    [{ starts_at: "2026-12-01T00:00:00Z", ends_at: "2026-12-01T00:00:00Z" }, "ends_at"],
  ])("rejects %j, whose fields contradict each other", async (fields, param) => {
    expect(await refusal(Promise.resolve().then(() => makeCampaign(ctx, fields)))).toMatchObject({
      code: "invalid_request",
      param,
    });
  });

  it("includes all 249 countries of ISO 3166-1", () => {
    expect(COUNTRIES.size).toBe(249);
  });

  it("does not find the advertiser of another tenant", async () => {
    const foreign = await makeAdvertiser((await ads.tenant()).key("live"));
    const refused = await refusal(makeCampaign(ctx, { advertiser_id: foreign.id }));
    expect(refused).toMatchObject({ code: "not_found", param: "advertiser_id" });
  });
});

describe("update", () => {
  it("changes only the given fields, one level deep in targeting and attribution", async () => {
    const made = await makeCampaign(ctx, { targeting: { geos: ["DE"], devices: ["mobile"] } });
    const changed = await update(made.id, { targeting: { devices: [] }, attribution: { click_days: 7 } });
    expect(changed).toEqual({
      ...made,
      targeting: { ...made.targeting, geos: ["DE"], devices: [] },
      attribution: { click_days: 7, view_days: 1 },
      updated_at: changed.updated_at,
    });
  });

  it("clears a budget, the start and the end with null", async () => {
    const window = { starts_at: "2026-12-01T00:00:00Z", ends_at: "2026-12-02T00:00:00Z" };
    const made = await makeCampaign(ctx, { ...window, daily_budget_micros: 1e9 });
    const changed = await update(made.id, { starts_at: null, ends_at: null, daily_budget_micros: null });
    expect(changed).toMatchObject({ starts_at: null, ends_at: null, daily_budget_micros: null });
  });

  it("checks the rules on the result, not on the input", async () => {
    const { id } = await makeCampaign(ctx, {
      bid_micros: 100,
      daily_budget_micros: 200,
      ends_at: "2026-12-02T00:00:00Z",
    });
    expect(await refusal(update(id, { bid_micros: 201 }))).toMatchObject({ param: "daily_budget_micros" });
    expect(await refusal(update(id, { starts_at: "2026-12-02T00:00:00Z" }))).toMatchObject({ param: "ends_at" });
    expect((await update(id, { bid_micros: 201, daily_budget_micros: 201 })).bid_micros).toBe(201);
  });

  it("prevents two concurrent updates from reaching a state that neither may reach alone", async () => {
    const { id } = await makeCampaign(ctx, { bid_micros: 100, daily_budget_micros: 1000 });
    const both = await Promise.allSettled([update(id, { bid_micros: 1000 }), update(id, { daily_budget_micros: 100 })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { bid_micros, daily_budget_micros } = await call(ctx, getCampaign, { id });
    expect(daily_budget_micros).toBeGreaterThanOrEqual(bid_micros);
  });

  it.each(["mode", "model", "advertiser_id", "currency", "created_at"])("rejects a change of %s", (field) => {
    expect(faultsOf(updateCampaign.input, { id: "cmp_x", [field]: "x" })).toEqual([field]);
  });

  it.each([
    ["draft", "active"],
    ["draft", "ended"],
    ["active", "paused"],
    ["active", "ended"],
    ["paused", "active"],
    ["paused", "ended"],
    ["ended", "ended"],
  ])("allows a change from %s to %s", async (from, to) => {
    const { id } = await makeCampaign(ctx, { status: from });
    expect((await update(id, { status: to })).status).toBe(to);
  });

  it.each([
    ["draft", "paused"],
    ["active", "draft"],
    ["paused", "draft"],
    ["ended", "active"],
    ["ended", "paused"],
    ["ended", "draft"],
  ])("rejects a change from %s to %s", async (from, to) => {
    const { id } = await makeCampaign(ctx, { status: from });
    expect(await refusal(update(id, { status: to }))).toMatchObject({ code: "conflict", param: "status" });
    expect((await call(ctx, getCampaign, { id })).status).toBe(from);
  });
});

describe("a bid above the limit of its price model", () => {
  const high = { cpc: 10_000_001, cpm: 50_000_001 };

  it.each(["cpc", "cpm"] as const)("must be confirmed for %s, on creation and when it is raised", async (model) => {
    const unconfirmed = { model, confirm_high_bid: false };
    const needsIt = {
      code: "invalid_request",
      param: "bid_micros",
      details: { reason: "bid_confirmation_required", bound_micros: high[model] - 1 },
    };
    expect(await refusal(makeCampaign(ctx, { ...unconfirmed, bid_micros: high[model] }))).toMatchObject(needsIt);
    const { id } = await makeCampaign(ctx, { ...unconfirmed, bid_micros: high[model] - 1 });
    expect(await refusal(update(id, { bid_micros: high[model] }))).toMatchObject(needsIt);
    const confirmed = await update(id, { bid_micros: high[model] + 1, confirm_high_bid: true });
    expect(confirmed.bid_micros).toBe(high[model] + 1);
    expect((await update(id, { bid_micros: high[model] })).bid_micros).toBe(high[model]);
    expect((await update(id, { name: "Same bid" })).name).toBe("Same bid");
  });
});

describe("deletion and lists", () => {
  it("prevents an archived campaign from being read, changed, deleted or listed", async () => {
    const { id, advertiser_id } = await makeCampaign(ctx);
    await call(ctx, deleteCampaign, { id });
    expect((await refusal(call(ctx, getCampaign, { id }))).code).toBe("not_found");
    expect((await refusal(update(id, { name: "x" }))).code).toBe("not_found");
    expect((await refusal(call(ctx, deleteCampaign, { id }))).code).toBe("not_found");
    expect((await call(ctx, listCampaigns, { advertiser_id })).data).toEqual([]);
  });

  it("lists by advertiser and status, newest first", async () => {
    const { id: advertiser_id } = await makeAdvertiser(ctx);
    const made: string[] = [];
    for (const status of ["active", "paused", "active"]) {
      ads.clock.advance(1);
      made.push((await makeCampaign(ctx, { advertiser_id, status })).id);
    }
    const ids = async (filters: object) =>
      (await call(ctx, listCampaigns, { advertiser_id, ...filters })).data.map(({ id }) => id);
    expect(await ids({})).toEqual([...made].reverse());
    expect(await ids({ status: "active" })).toEqual([made[2], made[0]]);
    expect(await ids({ status: "paused" })).toEqual([made[1]]);
    expect(await ids({ status: "draft" })).toEqual([]);
  });
});
