import { describe, expect, it } from "vitest";
import {
  adsTest,
  call,
  makeAdvertiser,
  makeCampaign,
  makeChannel,
  makeCreative,
  refusal,
} from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { openForFile } from "../../../test/factories/open-for-file";
import { copyChannel } from "../channels/copy-channel";
import { listChannelKeys } from "../channels/list-channel-keys";
import { copyCampaign } from "./copy-campaign";
import { listCreatives } from "./list-creatives";

const ads = await openForFile(adsTest());
const tenant = await ads.tenant();
const person = tenant.person;

describe("a test campaign", () => {
  it("is copied to live mode as a draft, with its terms and creatives, on all channels", async () => {
    const channel = await makeChannel(person, { mode: "test" });
    const campaign = await makeCampaign(person, {
      mode: "test",
      name: "Boots",
      daily_budget_micros: 24_000_000,
      starts_at: "2027-01-01T00:00:00Z",
      targeting: { geos: ["DE"], channels: [channel.id] },
      keywords: [{ text: "boots", match: "broad" }],
    });
    for (const title of ["One", "Two"]) await makeCreative(person, campaign.id, { title, brand: { name: "Reef" } });
    const advertiser = await makeAdvertiser(person, { mode: "live" });
    const copy = await call(person, copyCampaign, { id: campaign.id, advertiser_id: advertiser.id });
    expect(copy).toEqual({
      ...campaign,
      id: copy.id,
      mode: "live",
      advertiser_id: advertiser.id,
      status: "draft",
      items: 2,
      targeting: { ...campaign.targeting, channels: [] },
      created_at: copy.created_at,
      updated_at: copy.updated_at,
    });
    const { data } = await call(person, listCreatives, { id: copy.id });
    expect(data.map(({ title, brand }) => [title, brand?.name]).sort()).toEqual([
      ["One", "Reef"],
      ["Two", "Reef"],
    ]);
  });

  it("is copied only by a person of its tenant, for a live advertiser, and only once it is a test campaign", async () => {
    const campaign = await makeCampaign(person, { mode: "test" });
    const { id: advertiser_id } = await makeAdvertiser(person, { mode: "live" });
    const copied = (ctx: AdsCtx, input: object) =>
      refusal(call(ctx, copyCampaign, { id: campaign.id, advertiser_id, ...input }));
    expect(await copied(tenant.key("test"), {})).toMatchObject({ code: "forbidden" });
    expect(await copied((await ads.tenant()).person, {})).toMatchObject({ code: "not_found" });
    expect(await copied(person, { advertiser_id: campaign.advertiser_id })).toMatchObject({ code: "not_found" });
    const live = await makeCampaign(person, { mode: "live", advertiser_id });
    expect(await copied(person, { id: live.id })).toMatchObject({ code: "conflict" });
  });
});

describe("a test channel", () => {
  it("is copied to live mode with its settings and without keys", async () => {
    const channel = await makeChannel(person, {
      mode: "test",
      name: "Shop",
      origins: ["https://shop.example"],
      strictness: "strict",
      network: "own",
    });
    const copy = await call(person, copyChannel, { id: channel.id });
    const { id, created_at, updated_at } = copy;
    expect(copy).toEqual({ ...channel, id, created_at, updated_at, mode: "live" });
    expect(id).not.toBe(channel.id);
    expect((await call(person, listChannelKeys, { id })).data).toEqual([]);
  });

  it("is copied only by a person of its tenant, and not if it is live", async () => {
    const channel = await makeChannel(person, { mode: "test" });
    const copied = (ctx: AdsCtx, id = channel.id) => refusal(call(ctx, copyChannel, { id }));
    expect(await copied(tenant.key("test"))).toMatchObject({ code: "forbidden" });
    expect(await copied((await ads.tenant()).person)).toMatchObject({ code: "not_found" });
    expect(await copied(person, (await makeChannel(person, { mode: "live" })).id)).toMatchObject({ code: "conflict" });
  });
});
