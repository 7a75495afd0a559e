import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/factories/postgres";
import type { CampaignStatus, Mode } from "../../engines/postgres/generated/client";
import { type StartedAlarms, startAlarms } from "../../engines/start-alarms";
import { ManualClock } from "../../kernel/clock";
import { ChannelRefs } from "../network-channels/channel-refs";
import { decideOffers } from "../ranking/decide-offers";
import type { Catalog } from "./catalog";
import { startCatalog } from "./start-catalog";

const NOW = new Date("2026-11-20T12:00:00Z");
const SOON = { timeout: 30_000, interval: 50 };
const ITEM = 6000;
const times = { createdAt: NOW, updatedAt: NOW };
let database: TestDatabase;
let clock: ManualClock;
let alarms: StartedAlarms | undefined;
let catalog: Catalog | undefined;
let warnings: object[];
beforeEach(async () => {
  database = await testDatabase();
  clock = new ManualClock(NOW);
  warnings = [];
});
afterEach(async () => {
  await catalog?.stop();
  await alarms?.stop();
  await database.close();
});

const start = async (bytesMax?: number) => {
  const log = pino({ level: "warn" }, { write: (line) => void warnings.push(JSON.parse(line)) });
  const channelRefs = new ChannelRefs(randomBytes(32));
  alarms = startAlarms({ sql: database.sql, clock, log });
  catalog = await startCatalog({ sql: database.sql, clock, alarms, automaticReview: true, channelRefs, log, bytesMax });
  return catalog;
};

async function makeTenant(name: string): Promise<void> {
  const { db } = database;
  await db.tenant.create({ data: { id: `ten_${name}`, name, createdAt: NOW } });
  for (const mode of ["live", "test"] as const) {
    const owner = { tenantId: `ten_${name}`, mode, name };
    await db.channel.create({ data: { id: `chn_${name}_${mode}`, ...owner, ...times } });
    await db.advertiser.create({ data: { id: `adv_${name}_${mode}`, ...owner, ...times } });
  }
}

interface CampaignFields {
  mode?: Mode;
  status?: CampaignStatus;
  endsAt?: Date;
}

const makeCampaign = (name: string, tenant: string, { mode = "live", ...fields }: CampaignFields = {}) =>
  database.db.campaign.create({
    data: {
      id: `cmp_${name}`,
      tenantId: `ten_${tenant}`,
      advertiserId: `adv_${tenant}_${mode}`,
      mode,
      name,
      model: "cpc",
      bidMicros: 500_000n,
      ...fields,
      ...times,
    },
  });

/** Products of a campaign, each with its own words. */
const addProducts = (campaign: string, count: number, from = 0) =>
  database.db.product.createMany({
    data: Array.from({ length: count }, (_, i) => ({
      id: `prd_${campaign}_${from + i}`,
      campaignId: `cmp_${campaign}`,
      externalId: `${from + i}`,
      title: `${campaign} lamp`,
      description: `${`part${campaign}${from + i} `.repeat(5)}${"bright and warm ".repeat(200)}`,
      link: `https://shop.example/${campaign}/${from + i}`,
      ...times,
    })),
  });

/** How many of a campaign's items are in the index. */
function held(campaign: string): number {
  const state = catalog?.snapshot();
  let items = 0;
  for (let doc = 0; doc < (state?.index.capacity ?? 0); doc++)
    if (state?.itemAt(doc)?.campaignId === `cmp_${campaign}`) items++;
  return items;
}

function reasonOf(campaign: string, tenant: string): string | undefined {
  const request = {
    query: "lamp",
    context: "",
    placement: "sponsored_result",
    locale: "en",
    device: "desktop" as const,
    geo: "",
    limit: 1,
    signals: [],
    channelId: `chn_${tenant}_live`,
  };
  if (!catalog) throw new Error("the catalog is not running");
  const { fates = [] } = decideOffers(catalog.snapshot(), request, { now: clock.now(), seed: "", traced: true });
  return fates.find((fate) => fate.campaign.id === `cmp_${campaign}`)?.reason;
}

describe("items that cannot serve", () => {
  it("are loaded when their campaign starts to serve and dropped when it ends, with the correct reason at all times", async () => {
    await makeTenant("a");
    const inAnHour = new Date(NOW.getTime() + 3_600_000);
    await makeCampaign("draft", "a", { status: "draft" });
    await makeCampaign("paused", "a", { status: "paused" });
    await makeCampaign("over", "a", { endsAt: new Date(NOW.getTime() - 1) });
    await makeCampaign("short", "a", { endsAt: inAnHour });
    for (const name of ["draft", "paused", "over", "short"]) await addProducts(name, 3);
    const { size } = await start();
    expect([size, held("paused"), held("short")]).toEqual([6, 3, 3]);
    expect([reasonOf("draft", "a"), reasonOf("over", "a")]).toEqual(["status", "ended"]);
    await addProducts("draft", 1, 3);
    await database.db.campaign.update({ where: { id: "cmp_draft" }, data: { status: "active" } });
    await database.db.campaign.update({ where: { id: "cmp_over" }, data: { endsAt: null } });
    await vi.waitFor(() => expect([held("draft"), held("over")]).toEqual([4, 3]), SOON);
    expect(reasonOf("draft", "a")).not.toBe("status");
    clock.advance(3_600_000);
    await database.db.campaign.update({ where: { id: "cmp_draft" }, data: { status: "ended" } });
    await vi.waitFor(() => expect([held("draft"), held("short")]).toEqual([0, 0]), SOON);
    expect([reasonOf("draft", "a"), reasonOf("short", "a")]).toEqual(["ended", "ended"]);
  });
});

describe("a catalog that is larger than its memory", () => {
  /** Room for about this many items of live campaigns. */
  const roomFor = (items: number) => (items * ITEM * 8) / 7;

  it("excludes only items of the largest tenant, logs it, and loads them when there is room", async () => {
    for (const name of ["big", "small"]) await makeTenant(name);
    await makeCampaign("big", "big");
    await makeCampaign("big2", "big");
    await makeCampaign("small", "small");
    await addProducts("big", 40);
    await addProducts("big2", 20);
    await addProducts("small", 5);
    const { leftOut } = await start(roomFor(30));
    expect([held("small"), held("big2")]).toEqual([5, 0]);
    expect(held("big")).toBeGreaterThan(10);
    expect(leftOut).toBe(65 - held("big") - held("small"));
    expect(catalog?.bytes).toBeLessThan(roomFor(30));
    expect(reasonOf("big2", "big")).toBe("catalog_full");
    expect(warnings).toMatchObject([{ left_out: leftOut, msg: expect.stringContaining("the catalog is full") }]);

    await addProducts("small", 5, 5);
    await vi.waitFor(() => expect(held("small")).toBe(10), SOON);
    expect(held("big")).toBeGreaterThan(5);

    await database.db.campaign.update({ where: { id: "cmp_big" }, data: { archivedAt: NOW } });
    clock.advance(60_000);
    await vi.waitFor(() => expect([held("big2"), catalog?.leftOut]).toEqual([20, 0]), SOON);
    expect(reasonOf("big2", "big")).not.toBe("catalog_full");
  });

  it("gives a new tenant its share at the expense of the largest tenant, in any order of arrival", async () => {
    await makeTenant("old");
    await makeCampaign("old", "old");
    await addProducts("old", 60);
    await start(roomFor(30));
    await makeTenant("new");
    await makeCampaign("new", "new");
    await addProducts("new", 60);
    // The index takes them a few at a time.
    await vi.waitFor(() => {
      expect(held("new")).toBeGreaterThan(8);
      expect(Math.abs(held("new") - held("old"))).toBeLessThanOrEqual(3);
      expect(catalog?.bytes).toBeLessThan(roomFor(30) * 1.2);
    }, SOON);
  });

  it("does not let test campaigns displace live ones", async () => {
    await makeTenant("a");
    await makeCampaign("test", "a", { mode: "test" });
    await makeCampaign("live", "a");
    await addProducts("test", 60);
    await addProducts("live", 25);
    await start(roomFor(30));
    expect(held("live")).toBe(25);
    expect(held("test")).toBeGreaterThan(0);
    expect(held("test")).toBeLessThan(10);
  });

  it("forgets excluded items once they are archived", async () => {
    await makeTenant("a");
    await makeCampaign("a", "a");
    await addProducts("a", 60);
    await start(roomFor(30));
    expect(catalog?.leftOut).toBeGreaterThan(0);
    await database.db.product.updateMany({ where: { campaignId: "cmp_a" }, data: { archivedAt: NOW } });
    await vi.waitFor(() => expect([catalog?.leftOut, catalog?.size]).toEqual([0, 0]), SOON);
  });
});
