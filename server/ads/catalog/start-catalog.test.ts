import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { startAlarms } from "../../engines/start-alarms";
import { ManualClock } from "../../kernel/clock";
import { sha256 } from "../../kernel/secrets";
import { ChannelRefs } from "../network-channels/channel-refs";
import { decideOffers } from "../ranking/decide-offers";
import type { Catalog } from "./catalog";
import { startCatalog } from "./start-catalog";

const now = new Date("2026-11-20T12:00:00Z");
const LIVE_SOON = { timeout: 30_000, interval: 25 };
const log = pino({ level: "silent" });
const channelRefs = new ChannelRefs(randomBytes(32));

/** The catalog of another process, for the rest of a test. */
const another = async (): Promise<Catalog> => {
  const alarms = testAlarms({ sql: database.sql, clock });
  const other = await startCatalog({ sql: database.sql, clock, alarms, automaticReview: false, channelRefs, log });
  onTestFinished(() => other.stop());
  return other;
};

const offered = (query: string, from = catalog): string[] =>
  decideOffers(
    from.snapshot(),
    {
      query,
      context: "",
      placement: "sponsored_result",
      locale: "en",
      device: "desktop",
      geo: "",
      limit: 8,
      signals: [],
      channelId: "chn_1",
    },
    { now: clock.now(), seed: "" },
  ).candidates.map(({ item }) => item.id);

const times = { createdAt: now, updatedAt: now };
const creative = (id: string, title: string) => ({
  id,
  campaignId: "cmp_1",
  title,
  content: "",
  cta: "Open",
  landingUrl: "https://a.example",
  ...times,
});

const database = await openForFile(testDatabase());
const { db } = database;
const clock = new ManualClock(now);
await db.tenant.create({ data: { id: "ten_1", name: "T", createdAt: now } });
const channel = { tenantId: "ten_1", mode: "live" as const, categories: [], blockedCategories: [] };
await db.channel.create({
  data: { id: "chn_1", name: "C", origins: ["https://pub.example"], blockedAdvertisers: [], ...channel, ...times },
});
await db.advertiser.create({ data: { id: "adv_1", tenantId: "ten_1", name: "Acme", ...times } });
await db.campaign.create({
  data: {
    id: "cmp_1",
    tenantId: "ten_1",
    advertiserId: "adv_1",
    mode: "live",
    name: "C",
    model: "cpc",
    ...times,
    bidMicros: 500_000n,
    dailyBudgetMicros: 1_000_000n,
    timezone: "Asia/Tokyo",
  },
});
await db.creative.create({ data: creative("crv_1", "Running shoes") });
const alarms = startAlarms({ sql: database.sql, clock, log });
const catalog = await startCatalog({ sql: database.sql, clock, alarms, automaticReview: false, channelRefs, log });

afterAll(async () => {
  await catalog?.stop();
  await alarms?.stop();
});

describe("catalog", () => {
  test("contains existing rows at startup", () => {
    expect(offered("running shoes")).toEqual(["crv_1"]);
    expect(catalog.size).toBe(1);
  });

  test("applies a change in every process by itself", async () => {
    const other = await another();
    await database.db.creative.create({ data: creative("crv_2", "Espresso coffee beans") });
    await vi.waitFor(() => {
      expect(offered("coffee beans")).toEqual(["crv_2"]);
      expect(offered("coffee beans", other)).toEqual(["crv_2"]);
    }, LIVE_SOON);
    await database.db.creative.update({ where: { id: "crv_2" }, data: { title: "Garden hose" } });
    await vi.waitFor(() => expect(offered("garden hose")).toEqual(["crv_2"]), LIVE_SOON);
    expect(offered("coffee beans")).toEqual([]);
    await database.db.creative.update({ where: { id: "crv_2" }, data: { archivedAt: now } });
    await vi.waitFor(() => expect(offered("garden hose")).toEqual([]), LIVE_SOON);
  });

  test("serves a restored campaign with its items in every process, and a restored creative", async () => {
    const other = await another();
    const both = () => [catalog, other].map((one) => offered("running shoes", one));
    const setArchived = async (archivedAt: Date | null) => {
      await database.db.campaign.update({ where: { id: "cmp_1" }, data: { archivedAt } });
      await vi.waitFor(() => expect(both()).toEqual(archivedAt ? [[], []] : [["crv_1"], ["crv_1"]]), LIVE_SOON);
    };
    await setArchived(now);
    await setArchived(null);
    await database.db.creative.update({ where: { id: "crv_1" }, data: { archivedAt: now } });
    await vi.waitFor(() => expect(both()).toEqual([[], []]), LIVE_SOON);
    await database.db.creative.update({ where: { id: "crv_1" }, data: { archivedAt: null } });
    await vi.waitFor(() => expect(both()).toEqual([["crv_1"], ["crv_1"]]), LIVE_SOON);
  });

  test("applies a channel's strictness in every process, balanced by default", async () => {
    const other = await another();
    const strictness = () => [catalog, other].map((one) => one.snapshot().channel("chn_1")?.strictness);
    expect(strictness()).toEqual(["balanced", "balanced"]);
    await database.db.channel.update({ where: { id: "chn_1" }, data: { strictness: "strict" } });
    await vi.waitFor(() => expect(strictness()).toEqual(["strict", "strict"]), LIVE_SOON);
    await database.db.channel.update({ where: { id: "chn_1" }, data: { strictness: "balanced" } });
    await vi.waitFor(() => expect(strictness()).toEqual(["balanced", "balanced"]), LIVE_SOON);
  });

  test("finds a row whose transaction began before others and committed after them", async () => {
    const late = await database.sql.connect();
    await late.query("BEGIN");
    await late.query("UPDATE creatives SET title = 'Electric kettle' WHERE id = 'crv_1'");
    await database.db.creative.create({ data: creative("crv_3", "Wool sweater") });
    await vi.waitFor(() => expect(offered("wool sweater"), "not delayed by it").toEqual(["crv_3"]), LIVE_SOON);
    expect(offered("electric kettle")).toEqual([]);
    await late.query("COMMIT");
    late.release();
    await vi.waitFor(() => expect(offered("electric kettle")).toEqual(["crv_1"]), LIVE_SOON);
    await database.db.creative.update({ where: { id: "crv_1" }, data: { title: "Running shoes" } });
    await vi.waitFor(() => expect(offered("running shoes")).toEqual(["crv_1"]), LIVE_SOON);
  });

  test("finds a channel by its key's hash until the key is revoked, and has the browser origins", async () => {
    const hash = sha256("svc_pub_test");
    const key = { id: "key_1", channelId: "chn_1", kind: "browser" as const, hash, lastFour: "test", createdAt: now };
    expect(catalog.browserOrigins().has("https://pub.example")).toBe(false);
    await database.db.channelKey.create({ data: key });
    await vi.waitFor(() => {
      const found = catalog.channelByKeyHash(hash);
      expect([found?.channel.id, found?.key]).toEqual(["chn_1", { id: "key_1", kind: "browser" }]);
    }, LIVE_SOON);
    expect(catalog.browserOrigins().has("https://pub.example")).toBe(true);
    await database.db.channelKey.update({ where: { id: "key_1" }, data: { revokedAt: now } });
    await vi.waitFor(() => expect(catalog.channelByKeyHash(hash)).toBeUndefined(), LIVE_SOON);
    expect(catalog.browserOrigins().has("https://pub.example")).toBe(false);
  });

  test("contains what was committed before a refresh, for any number of callers", async () => {
    for (let i = 0; i < 20; i++) {
      const hash = sha256(`svc_srv_new_${i}`);
      const key = { id: `key_new_${i}`, channelId: "chn_1", kind: "server" as const, hash, lastFour: "test" };
      await database.db.channelKey.create({ data: { ...key, createdAt: now } });
      await Promise.all(Array.from({ length: 50 }, () => catalog.refresh()));
      expect(catalog.channelByKeyHash(hash)?.channel.id).toBe("chn_1");
    }
  });

  test("stops a campaign whose daily budget cannot cover a click, until midnight in its time zone", async () => {
    await database.sql.query(
      "INSERT INTO campaign_spend (campaign_id, day, nanos) VALUES ('cmp_1', '2026-11-20', 600000000)",
    );
    // Spend is followed while offers are returned.
    catalog.recordServed([{ campaignId: "cmp_1", model: "cpc", priceNanos: 0 }]);
    await vi.waitFor(() => expect(offered("running shoes")).toEqual([]), LIVE_SOON);
    clock.advance(4 * 60 * 60 * 1000);
    await vi.waitFor(() => expect(offered("running shoes")).toEqual(["crv_1"]), LIVE_SOON);
  });

  test("loads all other rows if one cannot be read", async () => {
    const fields = {
      tenantId: "ten_1",
      advertiserId: "adv_1",
      mode: "live" as const,
      name: "B",
      model: "cpc" as const,
    };
    await database.db.campaign.create({
      data: { id: "cmp_bad", bidMicros: 1n, caps: [{ count: "many" }], ...fields, ...times },
    });
    await database.db.creative.create({ data: { ...creative("crv_bad", "Blue teapot"), campaignId: "cmp_bad" } });
    await database.db.creative.create({ data: creative("crv_good", "Blue teapot") });
    await vi.waitFor(() => expect(offered("blue teapot")).toEqual(["crv_good"]), LIVE_SOON);
    await catalog.refresh();
  });

  test("gives way to a migration that has locked a table, and follows once it is done", async () => {
    await database.db.creative.create({ data: creative("crv_locked", "Copper kettle") });
    const migration = await database.sql.connect();
    try {
      await migration.query("BEGIN; LOCK TABLE creatives IN ACCESS EXCLUSIVE MODE");
      await expect(catalog.refresh()).rejects.toMatchObject({ code: "55P03" });
      await migration.query("COMMIT");
    } finally {
      migration.release(true);
    }
    await vi.waitFor(() => expect(offered("copper kettle")).toEqual(["crv_locked"]), LIVE_SOON);
  });

  test("continues to serve while Postgres is unavailable and catches up afterwards", async () => {
    await database.sql.query("ALTER TABLE creatives RENAME TO creatives_away");
    await expect(catalog.refresh()).rejects.toThrow("creatives");
    expect(offered("running shoes")).toEqual(["crv_1"]);
    await database.sql.query("UPDATE creatives_away SET title = 'Camping tent' WHERE id = 'crv_1'");
    await database.sql.query("ALTER TABLE creatives_away RENAME TO creatives");
    await vi.waitFor(() => expect(offered("camping tent")).toEqual(["crv_1"]), LIVE_SOON);
  });
});
