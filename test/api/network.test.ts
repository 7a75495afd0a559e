import { describe, expect, it } from "vitest";
import type { Advertiser } from "../../server/ads/advertisers/advertiser";
import { reviewAdvertiser } from "../../server/ads/advertisers/review-advertiser";
import { updateAdvertiser } from "../../server/ads/advertisers/update-advertiser";
import { verifyDomain } from "../../server/ads/advertisers/verify-domain";
import { creditTenant } from "../../server/ads/balances/credit-tenant";
import { getBalance } from "../../server/ads/balances/get-balance";
import type { Campaign } from "../../server/ads/campaigns/campaign";
import { getCampaign } from "../../server/ads/campaigns/get-campaign";
import { updateChannel } from "../../server/ads/channels/update-channel";
import { signUp } from "../../server/identity/sign-up/sign-up";
import { call, makeAdvertiser, makeCampaign, makeCreative } from "../factories/ads";
import type { AdsCtx } from "../factories/ads-ctx";
import { eventually, makeShop, makeTenant, served, TEST_REQUEST, type TestApp, testApp } from "../factories/app";
import { arrived, click, LOOKS_FOR_MS, manage, offersFor } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const PASSWORD = "correct horse battery";
const NANOS = 1_000_000_000n;

const tokens = async () => {
  const advertisers = await open.app.ads.db.advertiser.findMany({ select: { domainToken: true } });
  return advertisers.map(({ domainToken }) => domainToken);
};
/** `local` is a default installation; `open` is reached from elsewhere, so that advertisers need a review. */
const local = await openForFile(testApp());
const open: TestApp = await openForFile(
  testApp({
    env: { PUBLIC_URL: "https://svc.example" },
    domainSources: { records: tokens, file: async () => "" },
  }),
);
const shops = new Map([
  [local, await makeShop(local)],
  [open, await makeShop(open)],
]);

const shopOf = (test: TestApp) => shops.get(test) as Awaited<ReturnType<typeof makeShop>>;

async function titlesFor(test: TestApp, query: string): Promise<string[]> {
  return (await offersFor(test, shopOf(test).serverKey, { query, limit: 8 })).offers.map(({ title }) => String(title));
}

/** Serving refreshes what it knows of buyers every second; the creative itself is in the catalog already. */
async function expectNeverServed(test: TestApp, word: string): Promise<void> {
  await served(test, shopOf(test).serverKey);
  const until = Date.now() + 1500;
  while (Date.now() < until) expect(await titlesFor(test, `${word} lamp`)).not.toContain(`${word} lamp`);
}

const eventuallyServed = (test: TestApp, word: string) =>
  eventually(async () => (await titlesFor(test, `${word} lamp`)).includes(`${word} lamp`));

async function networkCampaign(ctx: AdsCtx, word: string, fields: Record<string, unknown> = {}) {
  const campaign = await makeCampaign(ctx, { mode: "live", reach: "network", bid_micros: 1_000_000, ...fields });
  await makeCreative(ctx, campaign.id, { title: `${word} lamp`, content: "A lamp" });
  return campaign;
}

const blocksOf = async (ctx: AdsCtx, id: string) => (await getCampaign.run(ctx, { id })).network;

const creditOf = (test: TestApp, tenantId: string, amount_micros: number) =>
  creditTenant({ ...test.app.ads, clock: test.clock }, { tenant_id: tenantId, amount_micros });

describe("a stranger's sign-up", () => {
  it("never serves on the channels of others, whatever the brand and the bid, until it is verified and credited", async () => {
    const test = local;
    const email = "stranger@example.com";
    const visitor = { ...test.app.account, request: TEST_REQUEST };
    await signUp.run(visitor, { email, password: PASSWORD });
    const session = (await (
      await manage(test, "/v1/auth/login", { method: "POST", body: { email, password: PASSWORD } })
    ).json()) as { access_token: string; tenant_id: string };
    const post = async <T>(path: string, body: object): Promise<T> => {
      const response = await manage(test, `/v1/ads/${path}`, { key: session.access_token, body });
      expect(response.status, await response.clone().text()).toBe(201);
      return (await response.json()) as T;
    };
    const advertiser = await post<Advertiser>("advertisers", { mode: "live", name: "Famous Brand" });
    expect(advertiser).toMatchObject({ review: "approved", review_automatic: true });
    const fields = { name: "All", model: "cpc", bid_micros: 900_000_000, confirm_high_bid: true, reach: "network" };
    const ids = { mode: "live", advertiser_id: advertiser.id };
    const campaign = await post<Campaign>("campaigns", { ...fields, ...ids });
    expect(campaign.network).toEqual({ serving: false, blocked_by: ["email_unverified", "no_balance"] });
    const landing_url = "https://evil.example/";
    await post(`campaigns/${campaign.id}/creatives`, {
      title: "amber lamp",
      content: "A lamp",
      cta: "Go",
      landing_url,
    });
    await expectNeverServed(test, "amber");
    await test.app.ads.db.user.updateMany({ where: { email }, data: { emailVerifiedAt: test.clock.now() } });
    await expectNeverServed(test, "amber");
    await creditOf(test, session.tenant_id, 900_000_000);
    await eventuallyServed(test, "amber");
  });
});

describe("each condition alone keeps a network campaign from the channels of others", () => {
  it.each([
    ["email_unverified", "copper", { emailVerified: false }],
    ["no_balance", "bronze", { creditNanos: NANOS - 1n }],
  ] as const)("%s", async (reason, word, tenant) => {
    const test = local;
    const ctx = await makeTenant(test, tenant);
    const campaign = await networkCampaign(ctx, word);
    await expectNeverServed(test, word);
    expect(await blocksOf(ctx, campaign.id)).toEqual({ serving: false, blocked_by: [reason] });
    if (reason === "email_unverified") {
      await ctx.db.user.updateMany({
        where: { memberships: { some: { tenantId: ctx.tenantId } } },
        data: { emailVerifiedAt: ctx.clock.now() },
      });
    } else await creditOf(test, ctx.tenantId, 1);
    await eventuallyServed(test, word);
    expect(await blocksOf(ctx, campaign.id)).toEqual({ serving: true, blocked_by: [] });
  });

  it("advertiser_not_approved, until the domain is verified and the operator approves; again after a change", async () => {
    const test = open;
    const ctx = await makeTenant(test);
    const advertiser = await makeAdvertiser(ctx, { mode: "live", domain: "silver.example" });
    expect(advertiser).toMatchObject({ review: "unreviewed", review_automatic: false });
    const campaign = await networkCampaign(ctx, "silver", { advertiser_id: advertiser.id });
    await expectNeverServed(test, "silver");
    const blocked = { serving: false, blocked_by: ["advertiser_not_approved"] };
    expect(await blocksOf(ctx, campaign.id)).toEqual(blocked);
    await verifyDomain.run(ctx, { id: advertiser.id });
    await expectNeverServed(test, "silver");
    const { mail } = test.app.account;
    await reviewAdvertiser({ db: ctx.db, clock: ctx.clock, mail }, { id: advertiser.id, decision: "approved" });
    await eventuallyServed(test, "silver");
    const changed = await updateAdvertiser.run(ctx, { id: advertiser.id, name: "Famous Brand" });
    expect(changed.review).toBe("pending");
    await eventually(async () => !(await titlesFor(test, "silver lamp")).includes("silver lamp"));
    expect(await blocksOf(ctx, campaign.id)).toEqual(blocked);
  });

  it("none of them matters on the tenant's own channels", async () => {
    const test = open;
    const shop = await makeShop(test, { campaign: { reach: "network" }, creative: { title: "golden lamp" } });
    await test.app.ads.db.tenantBalance.update({
      where: { tenantId: shop.tenantId },
      data: { creditedNanos: 0n },
    });
    await eventually(async () => {
      const { offers } = await offersFor(test, shop.serverKey, { query: "golden lamp" });
      return offers[0]?.title === "golden lamp";
    });
  });
});

describe("a balance", () => {
  it("is spent to the last event that fits, then serving stops until it is credited", async () => {
    const test = local;
    const ctx = await makeTenant(test, { creditNanos: 2n * NANOS });
    await networkCampaign(ctx, "violet");
    await eventuallyServed(test, "violet");
    const ids: string[] = [];
    for (let asked = 0; asked < 4; asked++) {
      const { offers } = await offersFor(test, shopOf(test).serverKey, { query: "violet lamp" });
      ids.push(offers[0]?.id ?? "");
    }
    await new Promise((resolve) => setTimeout(resolve, LOOKS_FOR_MS));
    for (const id of ids) expect((await click(test, id)).status).toBe(302);
    const rows = await arrived(test, "clicks", { ids, count: 4 });
    expect(rows.map(({ traffic }) => traffic).sort()).toEqual(["", "", "no_balance", "no_balance"]);
    const spent = { currency: "USD", credited_micros: 2_000_000, spent_micros: 2_000_000, available_micros: 0 };
    expect(await getBalance.run(ctx, {})).toEqual(spent);
    await eventually(async () => !(await titlesFor(test, "violet lamp")).includes("violet lamp"));
    await creditOf(test, ctx.tenantId, 1_000_000);
    await eventuallyServed(test, "violet");
  });
});

describe("a publisher's choice", () => {
  it("of own or approved advertisers holds in serving, approved ones by id, domain or name", async () => {
    const test = local;
    const ctx = await makeTenant(test);
    const advertiser = await makeAdvertiser(ctx, { mode: "live", name: "Pearl Ltd", domain: "pearl.example" });
    await networkCampaign(ctx, "pearl", { advertiser_id: advertiser.id });
    await eventuallyServed(test, "pearl");
    const shop = shopOf(test);
    const choose = (fields: object) => call(shop.ctx, updateChannel, { id: shop.channel.id, ...fields });
    const gone = () => eventually(async () => !(await titlesFor(test, "pearl lamp")).includes("pearl lamp"));
    expect(await choose({ network: "own" })).toMatchObject({ network: "own" });
    await gone();
    for (const name of [advertiser.id, "Pearl.example", "pearl ltd"]) {
      await choose({ network: "approved", approved_advertisers: [name] });
      await eventuallyServed(test, "pearl");
      await choose({ approved_advertisers: ["somebody else"] });
      await gone();
    }
    await choose({ network: "all" });
    await eventuallyServed(test, "pearl");
  });
});
