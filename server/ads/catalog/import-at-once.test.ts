import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { testAlarms } from "../../../test/factories/alarms";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { inTransaction } from "../../engines/postgres/in-transaction";
import { claimName } from "../../engines/postgres/session-claim";
import { ManualClock } from "../../kernel/clock";
import { beginImport, endImport, importClaimOf } from "../imports/import-marks";
import { ChannelRefs } from "../network-channels/channel-refs";
import { decideOffers } from "../ranking/decide-offers";
import type { Catalog } from "./catalog";
import { startCatalog } from "./start-catalog";

const now = new Date("2026-11-20T12:00:00Z");
const SOON = { timeout: 30_000, interval: 25 };
const COUNT = 1500;
const times = { createdAt: now, updatedAt: now };
const clock = new ManualClock(now);
const channelRefs = new ChannelRefs(randomBytes(32));
const log = pino({ level: "silent" });
const { db, sql } = await openForFile(testDatabase());
await db.tenant.create({ data: { id: "ten_1", name: "T", createdAt: now } });
const owner = { tenantId: "ten_1", mode: "live" as const, name: "A" };
await db.channel.create({ data: { id: "chn_1", ...owner, ...times } });
await db.advertiser.create({ data: { id: "adv_1", ...owner, ...times } });

let campaignId: string;
let campaigns = 0;
beforeEach(async () => {
  await db.campaign.updateMany({ data: { archivedAt: now } });
  campaignId = `cmp_${++campaigns}`;
  const terms = { model: "cpc" as const, bidMicros: 500_000n };
  await db.campaign.create({ data: { id: campaignId, advertiserId: "adv_1", ...owner, ...terms, ...times } });
});

/** The catalog of one process, for the rest of a test. */
async function startProcess(): Promise<Catalog> {
  const alarms = testAlarms({ sql, clock });
  const catalog = await startCatalog({ sql, clock, alarms, automaticReview: true, channelRefs, log });
  onTestFinished(() => catalog.stop());
  return catalog;
}

/** What an import that is running holds. */
async function claim() {
  const session = await claimName(sql.options.connectionString, importClaimOf(campaignId));
  if (!session) throw new Error("expected the claim to be free");
  onTestFinished(() => session.close());
  return session;
}

const request = {
  context: "",
  placement: "sponsored_result" as const,
  locale: "en",
  device: "desktop" as const,
  geo: "",
  limit: 3,
  signals: [],
  channelId: "chn_1",
};
/** The offers for some queries: titles, scores and words of the index are part of them. */
const offered = (catalog: Catalog): string =>
  JSON.stringify(
    ["trail boots", "wool socks", "trial bots", "socks"].map((query) =>
      decideOffers(catalog.snapshot(), { ...request, query }, { now: clock.now(), seed: "" }).candidates.map(
        ({ item, score }) => [item.id, item.title, score],
      ),
    ),
  );

const NOTHING = "[[],[],[],[]]";
const idOf = (i: number) => `prd_${campaignId}_${String(i).padStart(5, "0")}`;
const put = (title: string, from: number, to: number) =>
  sql.query(
    `INSERT INTO products (id, campaign_id, external_id, title, link, created_at, updated_at)
     SELECT 'prd_' || $1 || '_' || lpad(i::text, 5, '0'), $1, i::text, $2 || ' model ' || i, 'https://shop.example/' || i, $5, $5
     FROM generate_series($3::int, $4::int) AS i
     ON CONFLICT (campaign_id, external_id) DO UPDATE SET title = excluded.title, archived_at = NULL`,
    [campaignId, title, from, to, now],
  );

/** Refreshes every process, and looks in each turn of the event loop; returns the different offers of all. */
async function watched(processes: readonly Catalog[]): Promise<Set<string>> {
  const seen = new Set<string>();
  let isDone = false;
  const refreshed = Promise.all(processes.map((catalog) => catalog.refresh())).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const catalog of processes) seen.add(offered(catalog));
    await nextTurn();
  }
  await refreshed;
  for (const catalog of processes) seen.add(offered(catalog));
  return seen;
}

describe("an import in several transactions", () => {
  test("into a fresh campaign is served by every process when it ends, and nothing of it before", async () => {
    const processes = [await startProcess(), await startProcess()];
    await claim();
    await beginImport(sql, { campaignId, now });
    for (let from = 0; from < COUNT; from += 500) {
      await put("Trail boots", from, from + 499);
      expect([...(await watched(processes))]).toEqual([NOTHING]);
    }
    await endImport(sql, campaignId);
    const seen = await watched(processes);
    const [after] = processes.map(offered);
    expect([...seen].sort()).toEqual([NOTHING, after].sort());
    expect(processes.map(({ size }) => size)).toEqual([COUNT, COUNT]);
  });

  test("leaves the old products as they are, with their scores, until it has replaced them", async () => {
    await put("Trail boots", 0, COUNT - 1);
    const processes = [await startProcess(), await startProcess()];
    const [old] = processes.map(offered);
    expect(old).toContain("Trail boots");
    await claim();
    await beginImport(sql, { campaignId, now });
    for (let from = 1000; from < 3000; from += 500) {
      await put("Wool socks", from, from + 499);
      expect([...(await watched(processes))]).toEqual([old]);
    }
    await inTransaction(sql, async (client) => {
      await endImport(client, campaignId);
      await client.query("UPDATE products SET archived_at = $2 WHERE campaign_id = $1 AND title LIKE 'Trail%'", [
        campaignId,
        now,
      ]);
    });
    const seen = await watched(processes);
    const [after, other] = processes.map(offered);
    expect(after).not.toContain("Trail boots");
    expect(after).toContain("Wool socks");
    expect([...seen].sort()).toEqual([after, old].sort());
    // As a process that has never seen the old products.
    expect(JSON.parse(other ?? "")).toEqual(JSON.parse(offered(await startProcess())));
  });

  test("does not keep a product that is deleted meanwhile", async () => {
    await put("Trail boots", 0, 1);
    const process = await startProcess();
    await claim();
    await beginImport(sql, { campaignId, now });
    await put("Wool socks", 1, 1);
    await process.refresh();
    await db.product.updateMany({ where: { id: idOf(1) }, data: { archivedAt: now } });
    await process.refresh();
    expect(offered(process)).not.toContain(idOf(1));
    await endImport(sql, campaignId);
    await process.refresh();
    expect(process.size).toBe(1);
  });

  test("is not served by a process that starts meanwhile either, until it ends", async () => {
    await put("Trail boots", 0, 1);
    await claim();
    clock.advance(1000);
    await beginImport(sql, { campaignId, now: clock.now() });
    await sql.query(
      `INSERT INTO products (id, campaign_id, external_id, title, link, created_at, updated_at)
       VALUES ($2, $1, 'new', 'Wool socks', 'https://shop.example/new', $3, $3)`,
      [campaignId, idOf(9), clock.now()],
    );
    const process = await startProcess();
    expect(process.size).toBe(2);
    await put("Wool socks", 5, 5);
    await process.refresh();
    expect(offered(process)).not.toContain("Wool");
    await endImport(sql, campaignId);
    await process.refresh();
    expect(offered(process)).toContain(idOf(9));
    expect(process.size).toBe(4);
  });

  test("whose process is killed is served as far as it came", async () => {
    const process = await startProcess();
    const session = await claim();
    await beginImport(sql, { campaignId, now });
    await put("Trail boots", 0, 9);
    await process.refresh();
    expect(offered(process)).toBe(NOTHING);
    await session.close();
    await vi.waitFor(async () => {
      await process.refresh();
      expect(process.size).toBe(10);
    }, SOON);
  });
});

test("a campaign that resumes serves all of its items at once", async () => {
  await db.campaign.update({ where: { id: campaignId }, data: { status: "draft" } });
  await put("Trail boots", 0, COUNT - 1);
  const processes = [await startProcess()];
  await db.campaign.update({ where: { id: campaignId }, data: { status: "active" } });
  const seen = await watched(processes);
  expect([...seen].sort()).toEqual([NOTHING, ...processes.map(offered)].sort());
  expect(processes[0]?.size).toBe(COUNT);
});
