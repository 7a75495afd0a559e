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
import { adsRows as adsManagementRows, type Row } from "../../../test/factories/rows";
import { createChannelKey } from "../../ads/channels/create-channel-key";
import { setFeedSchedule } from "../../ads/feed-schedules/set-feed-schedule";
import { importProducts } from "../../ads/products/import-products";
import { listProducts } from "../../ads/products/list-products";

const line = '{"id":"sku-1","title":"Boot","link":"https://shop.example/1"}\n';
const feed = () => new Blob([line]).stream() as ReadableStream<Uint8Array>;

const ads = await openForFile(adsTest());
const [tenant, other] = [await ads.tenant(), await ads.tenant()];
const [mine, mineInTest, foreign, foreignPerson] = [
  tenant.key("live"),
  tenant.key("test"),
  other.key("live"),
  other.person,
];
const ids = await makeOneOfEach(mine);

async function makeOneOfEach(ctx: AdsCtx): Promise<Record<string, string>> {
  const channel = await makeChannel(ctx);
  const key = await call(ctx, createChannelKey, { id: channel.id, kind: "server" });
  const advertiser = await makeAdvertiser(ctx);
  const campaign = await makeCampaign(ctx, { advertiser_id: advertiser.id });
  const creative = await makeCreative(ctx, campaign.id);
  await importProducts.run(ctx, importProducts.input.parse({ id: campaign.id }), { body: feed() });
  await call(ctx, setFeedSchedule, { id: campaign.id, url: "https://shop.example/feed.csv" });
  const product = (await call(ctx, listProducts, { id: campaign.id })).data[0];
  return {
    channels: channel.id,
    advertisers: advertiser.id,
    campaigns: campaign.id,
    key_id: key.id,
    creative_id: creative.id,
    product_id: product?.id ?? "",
  };
}

/** The body that a row needs in addition to its path, so that only the id decides. */
const BODIES: Record<string, object> = {
  createChannelKey: { kind: "server" },
  setFeedSchedule: { url: "https://stolen.example/feed.csv" },
  createCreative: { title: "T", content: "C", cta: "Go", landing_url: "https://shop.example/" },
  updateChannel: { name: "Stolen" },
  updateAdvertiser: { name: "Stolen" },
  updateCampaign: { name: "Stolen" },
  updateCreative: { title: "Stolen" },
};

/**
 * A publisher's user and a month are no resources: erasing an unknown user succeeds, and every tenant has every month.
 * `signals.test.ts` and `statements.test.ts` prove their isolation.
 */
const rowsWithId = adsManagementRows.filter(({ path }) => /\{(?!user_id|month)\w+\}/.test(path));

function inputOf(row: Row): Record<string, unknown> {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
  const noun = row.path.split("/")[3] ?? "";
  const path = Object.fromEntries(names.map((name) => [name, ids[name === "id" ? noun : name]]));
  return row.input.parse({ ...path, ...BODIES[row.id] });
}

const run = (row: Row, ctx: AdsCtx) =>
  Promise.resolve().then(() => row.run(ctx as never, inputOf(row) as never, row.upload ? { body: feed() } : {}));

const snapshot = () =>
  Promise.all([
    ads.db.channel.findMany({ orderBy: { id: "asc" } }),
    ads.db.channelKey.findMany({ orderBy: { id: "asc" } }),
    ads.db.advertiser.findMany({ orderBy: { id: "asc" } }),
    ads.db.campaign.findMany({ orderBy: { id: "asc" } }),
    ads.db.creative.findMany({ orderBy: { id: "asc" } }),
    ads.db.product.findMany({ orderBy: { id: "asc" } }),
    ads.db.feedSchedule.findMany({ orderBy: { campaignId: "asc" } }),
  ]);

describe("an id of another tenant", () => {
  it.each(rowsWithId.map((row) => [row.id, row] as const))(
    "is not found by %s, and nothing changes",
    async (_, row) => {
      const before = await snapshot();
      expect((await refusal(run(row, foreign))).code).toBe("not_found");
      expect((await refusal(run(row, foreignPerson))).code).toBe("not_found");
      expect(await snapshot()).toEqual(before);
    },
  );
});

describe("an id of the other mode", () => {
  const rows = rowsWithId.filter(({ path }) => !path.startsWith("/v1/ads/advertisers"));
  it.each(rows.map((row) => [row.id, row] as const))("is not found by %s with a key", async (_, row) => {
    const before = await snapshot();
    expect((await refusal(run(row, mineInTest))).code).toBe("not_found");
    expect(await snapshot()).toEqual(before);
  });
});

describe("a list", () => {
  const lists = adsManagementRows.filter(({ id }) => /^list(Channels|Advertisers|Campaigns)$/.test(id));
  const idsIn = async (row: Row, ctx: AdsCtx, input: object = {}) =>
    ((await row.run(ctx as never, row.input.parse(input) as never)) as { data: { id: string }[] }).data.map(
      ({ id }) => id,
    );

  it.each(lists.map((row) => [row.id, row] as const))("%s shows a tenant only its own", async (_, row) => {
    expect(await idsIn(row, mine)).toHaveLength(1);
    expect(await idsIn(row, foreign)).toEqual([]);
  });

  it.each(lists.filter(({ id }) => id !== "listAdvertisers").map((row) => [row.id, row] as const))(
    "%s shows a key its own mode, whatever it requests, and a person the requested one",
    async (_, row) => {
      const person: AdsCtx = { ...foreignPerson, actor: { ...foreignPerson.actor, tenantId: mine.actor.tenantId } };
      expect(await idsIn(row, mineInTest, { mode: "live" })).toEqual([]);
      expect(await idsIn(row, person)).toEqual([]);
      expect(await idsIn(row, person, { mode: "live" })).toHaveLength(1);
    },
  );
});

describe("with its own ids", () => {
  it.each(rowsWithId.filter(({ method }) => method === "GET").map((row) => [row.id, row] as const))(
    "%s returns what its schema declares",
    async (_, row) => {
      expect(row.output.safeParse(await run(row, mine)).error).toBeUndefined();
    },
  );
});
