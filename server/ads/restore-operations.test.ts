import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  adsTest,
  call,
  makeAdvertiser,
  makeCampaign,
  makeChannel,
  makeCreative,
  refusal,
} from "../../test/factories/ads";
import type { AdsCtx } from "../../test/factories/ads-ctx";
import { openForFile } from "../../test/factories/open-for-file";
import { ADVERTISERS_QUOTA } from "./advertisers/advertisers.quotas";
import { deleteAdvertiser } from "./advertisers/delete-advertiser";
import { getAdvertiser } from "./advertisers/get-advertiser";
import { restoreAdvertiser } from "./advertisers/restore-advertiser";
import { CAMPAIGNS_QUOTA } from "./campaigns/campaigns.quotas";
import { deleteCampaign } from "./campaigns/delete-campaign";
import { getCampaign } from "./campaigns/get-campaign";
import { restoreCampaign } from "./campaigns/restore-campaign";
import { CHANNELS_QUOTA } from "./channels/channels.quotas";
import { deleteChannel } from "./channels/delete-channel";
import { getChannel } from "./channels/get-channel";
import { restoreChannel } from "./channels/restore-channel";
import { deleteCreative } from "./creatives/delete-creative";
import { getCreative } from "./creatives/get-creative";
import { restoreCreative } from "./creatives/restore-creative";
import { ITEM_QUOTAS } from "./quotas/item-quotas";

type Ids = Record<string, string>;
type Operation = { input: z.ZodType; run: (ctx: AdsCtx, input: never) => Promise<unknown> };

interface Restorable {
  noun: string;
  resource: "channels" | "advertisers" | "campaigns" | "creatives";
  make: (ctx: AdsCtx) => Promise<Ids>;
  get: Operation;
  archive: Operation;
  restore: Operation;
}

const NOUNS: Restorable[] = [
  {
    noun: "channel",
    resource: "channels",
    get: getChannel,
    archive: deleteChannel,
    restore: restoreChannel,
    make: async (ctx) => ({ id: (await makeChannel(ctx, { origins: ["https://a.example"], network: "own" })).id }),
  },
  {
    noun: "advertiser",
    resource: "advertisers",
    get: getAdvertiser,
    archive: deleteAdvertiser,
    restore: restoreAdvertiser,
    make: async (ctx) => ({ id: (await makeAdvertiser(ctx, { domain: "acme.example" })).id }),
  },
  {
    noun: "campaign",
    resource: "campaigns",
    get: getCampaign,
    archive: deleteCampaign,
    restore: restoreCampaign,
    make: async (ctx) => ({ id: (await makeCampaign(ctx, { targeting: { geos: ["DE"] } })).id }),
  },
  {
    noun: "creative",
    resource: "creatives",
    get: getCreative,
    archive: deleteCreative,
    restore: restoreCreative,
    make: async (ctx) => {
      const { id } = await makeCampaign(ctx);
      return { id, creative_id: (await makeCreative(ctx, id, { brand: { name: "Acme" } })).id };
    },
  },
];

const ads = await openForFile(adsTest());

type Tenant = Awaited<ReturnType<typeof ads.tenant>>;

const restoredEntries = (tenant: Tenant, noun: string) =>
  ads.db.auditEntry.findMany({ where: { tenantId: tenant.id, action: `${noun}.restored` } });

async function setLimit(tenant: Tenant, resource: Restorable["resource"], limit: number): Promise<void> {
  const key = { tenantId: tenant.id, resource };
  const value = { limit: BigInt(limit), setAt: ads.clock.now() };
  await ads.db.quota.upsert({ where: { tenantId_resource: key }, create: { ...key, ...value }, update: value });
}

const QUOTAS = {
  channels: CHANNELS_QUOTA,
  advertisers: ADVERTISERS_QUOTA,
  campaigns: CAMPAIGNS_QUOTA,
  creatives: ITEM_QUOTAS.creatives,
  products: ITEM_QUOTAS.products,
};

/** Leaves no room for one more. */
async function fillQuota(tenant: Tenant, resource: Restorable["resource"]): Promise<number> {
  const used = await QUOTAS[resource].used(ads.db, { tenantId: tenant.id, now: ads.clock.now() });
  await setLimit(tenant, resource, used);
  return used;
}

describe.each(NOUNS)("an archived $noun", ({ noun, resource, make, get, archive, restore }) => {
  const archived = async (ctx: AdsCtx) => {
    const ids = await make(ctx);
    const before = (await call(ctx, get, ids)) as object;
    ads.clock.advance(1000);
    await call(ctx, archive, ids);
    ads.clock.advance(1000);
    return { ids, before };
  };

  it.each(["key", "person"] as const)("is restored as it was by a %s, with an audit entry", async (kind) => {
    const tenant = await ads.tenant();
    const ctx = kind === "key" ? tenant.key("test") : tenant.person;
    const { ids, before } = await archived(ctx);
    const restored = await call(ctx, restore, ids);
    expect(restored).toEqual({ ...before, updated_at: ads.clock.now().toISOString() });
    expect(await call(ctx, get, ids)).toEqual(restored);
    const [entry, ...others] = await restoredEntries(tenant, noun);
    expect(entry?.targets).toContainEqual(expect.objectContaining({ type: noun, id: ids.creative_id ?? ids.id }));
    expect(others).toEqual([]);
  });

  it("is restored once, even by concurrent calls; restoring it again changes nothing", async () => {
    const tenant = await ads.tenant();
    const ctx = tenant.key("live");
    const { ids } = await archived(ctx);
    const both = await Promise.all([call(ctx, restore, ids), call(ctx, restore, ids)]);
    expect(both[0]).toEqual(both[1]);
    ads.clock.advance(1000);
    expect(await call(ctx, restore, ids)).toEqual(both[0]);
    expect(await restoredEntries(tenant, noun)).toHaveLength(1);
  });

  it("is not found by other tenants and by a key of the other mode, like one that never existed", async () => {
    const tenant = await ads.tenant();
    const { ids } = await archived(tenant.key("live"));
    const other = await ads.tenant();
    for (const ctx of [other.key("live"), other.person, tenant.key("test")]) {
      const refused = await refusal(call(ctx, restore, ids));
      const unknown = await refusal(call(ctx, restore, { ...ids, id: "none_0" }));
      expect(refused.code).toBe("not_found");
      expect(refused.message.replace(String(ids.id), "none_0")).toBe(unknown.message);
    }
    expect((await refusal(call(tenant.key("live"), get, ids))).code).toBe("not_found");
    expect(await restoredEntries(tenant, noun)).toEqual([]);
  });

  it("is restored only if the quota has room for it, also for concurrent calls", async () => {
    const tenant = await ads.tenant();
    const ctx = tenant.key("live");
    const [{ ids: first }, { ids: second }] = [await archived(ctx), await archived(ctx)];
    const limit = await fillQuota(tenant, resource);
    expect(await refusal(call(ctx, restore, first))).toMatchObject({
      code: "quota_exceeded",
      details: { resource, limit },
    });
    expect((await refusal(call(ctx, get, first))).code).toBe("not_found");
    await setLimit(tenant, resource, limit + 1);
    const both = await Promise.allSettled([call(ctx, restore, first), call(ctx, restore, second)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await restoredEntries(tenant, noun)).toHaveLength(1);
  });

  it("needs no room in the quota when it is not archived", async () => {
    const tenant = await ads.tenant();
    const ctx = tenant.key("live");
    const ids = await make(ctx);
    const before = await call(ctx, get, ids);
    await fillQuota(tenant, resource);
    ads.clock.advance(1000);
    expect(await call(ctx, restore, ids)).toEqual(before);
    expect(await restoredEntries(tenant, noun)).toEqual([]);
  });
});
