import { pino } from "pino";
import { afterAll, describe, expect, it, vi } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { testDatabase } from "../../../test/factories/postgres";
import { migrateJobs } from "../../engines/jobs/migrate-jobs";
import { startAlarms } from "../../engines/start-alarms";
import { ManualClock } from "../../kernel/clock";
import { shipOutbox } from "../events/ship-outbox";
import { seedDemo } from "./seed-demo";
import { simulateDay } from "./simulate-day";
import { findSimulatedTraffic, simulatedItems } from "./simulated-traffic.sql";
import { startSimulatedTraffic } from "./start-simulated-traffic";
import { writeSimulatedTraffic } from "./write-simulated-traffic";

const NOW = new Date("2026-11-20T15:07:00Z");
const clock = new ManualClock(NOW);
const tenantId = "ten_demo";
const landingBase = "http://localhost:3000/demo/landing";
const settings = { clock, currency: "USD", publisherShare: 0.7 };

const [database, clickhouse] = await Promise.all([testDatabase(), testClickHouse()]);
await migrateJobs(database.sql);
await database.db.tenant.create({ data: { id: tenantId, name: "Demo", isDemo: true, createdAt: NOW } });
await seedDemo({ ...database, clock }, { tenantId, landingBase, origin: "http://localhost:3000", currency: "USD" });
await startSimulatedTraffic({ ...database, clock }, { tenantId, landingBase });
const deadLetters = { add: () => Promise.reject(new Error("a row was rejected")) };
const log = pino({ level: "silent" });
const alarms = startAlarms({ sql: database.sql, clock, log });
const shipping = shipOutbox({
  ...database,
  alarms,
  clickhouse: clickhouse.client,
  deadLetters,
  log,
  atStep: () => undefined,
});
afterAll(async () => {
  await shipping?.stop();
  await alarms?.stop();
  await Promise.all([database?.close(), clickhouse?.close()]);
});

async function one(query: string): Promise<Record<string, string>> {
  const { rows } = await database.sql.query<Record<string, string>>(query);
  return rows[0] ?? {};
}

async function reported(query: string): Promise<Record<string, string>> {
  const result = await clickhouse.client.query({ query, format: "JSONEachRow" });
  return (await result.json<Record<string, string>>())[0] ?? {};
}

const OFFERS = `SELECT count(*)::text AS offers, count(seen_at)::text AS impressions, count(clicked_at)::text AS clicks FROM offers`;
const LEDGER = `SELECT sum(charge_nanos)::text AS charged, sum(earning_nanos)::text AS earned FROM ledger`;

describe("the demo's simulated traffic", () => {
  it("continues where a crash interrupted it, and is written once", async () => {
    // The connection is lost after the tenth day.
    let days = 0;
    const broken = new Proxy(database.sql, {
      get: (pool, name) => {
        if (name === "connect" && days++ === 2) return () => Promise.reject(new Error("connection lost"));
        const value = Reflect.get(pool, name);
        return typeof value === "function" ? value.bind(pool) : value;
      },
    });
    await expect(writeSimulatedTraffic({ ...settings, sql: broken })).rejects.toThrow("connection lost");
    const part = await one(OFFERS);
    expect(Number(part.offers)).toBeGreaterThan(100);
    await writeSimulatedTraffic({ ...settings, sql: database.sql });
    const whole = [await one(OFFERS), await one(LEDGER), await one("SELECT count(*)::text AS n FROM conversions")];
    expect(Number(whole[0]?.offers)).toBeGreaterThan(2 * Number(part.offers));
    await startSimulatedTraffic({ ...database, clock }, { tenantId, landingBase });
    await writeSimulatedTraffic({ ...settings, sql: database.sql });
    expect([await one(OFFERS), await one(LEDGER), await one("SELECT count(*)::text AS n FROM conversions")]).toEqual(
      whole,
    );
    expect(await findSimulatedTraffic(database.sql, tenantId)).toMatchObject({
      fromAt: new Date("2026-10-21T00:00:00Z"),
      toAt: new Date("2026-11-20T00:00:00Z"),
      finishedAt: NOW,
    });
  });

  it("has the same offers, counts and amounts in ClickHouse as in Postgres", async () => {
    const waiting = `SELECT ((SELECT count(*) FROM outbox) + (SELECT count(*) FROM outbox_slices))::text AS n`;
    await vi.waitUntil(async () => (await one(waiting)).n === "0", { timeout: 90_000, interval: 100 });
    const counts = await one(OFFERS);
    expect(
      await reported(`SELECT (SELECT toString(count()) FROM offers) AS offers,
        (SELECT toString(count()) FROM impressions WHERE traffic = '') AS impressions,
        (SELECT toString(count()) FROM clicks WHERE traffic = '') AS clicks`),
    ).toEqual(counts);
    const money = await one(LEDGER);
    const { rows: spent } = await database.sql.query("SELECT sum(nanos)::text AS charged FROM campaign_spend");
    expect(spent).toEqual([{ charged: money.charged }]);
    expect(
      await reported(
        "SELECT toString(sum(spend_nanos)) AS charged, toString(sum(earnings_nanos)) AS earned FROM report_slots",
      ),
    ).toEqual(money);
    expect(await one("SELECT sum(earned_nanos)::text AS earned FROM publisher_earnings")).toEqual({
      earned: money.earned,
    });
    const balance =
      await one(`SELECT b.spent_nanos = sum(l.charge_nanos) AS equal, b.spent_nanos < b.credited_nanos AS covered
      FROM tenant_balances b JOIN ledger l ON l.buyer_tenant_id = b.tenant_id GROUP BY b.tenant_id`);
    expect(balance).toEqual({ equal: true, covered: true });
    const orders = await one(
      "SELECT count(*)::text AS n FROM conversions WHERE attribution = 'click' AND order_id LIKE 'simulated-%'",
    );
    expect(Number(orders.n)).toBeGreaterThan(5);
    expect(await reported("SELECT toString(count()) AS n FROM conversions")).toEqual(orders);
  });

  it("has a week's shape, invalid traffic and no event after the last midnight", async () => {
    const { weekend = "0", workdays = "0" } = await reported(`
      SELECT toString(countIf(toDayOfWeek(at) > 5) / 2) AS weekend, toString(countIf(toDayOfWeek(at) <= 5) / 5) AS workdays
      FROM requests WHERE at < '2026-11-18 00:00:00'`);
    expect(Number(weekend) / Number(workdays)).toBeGreaterThan(0.5);
    expect(Number(weekend) / Number(workdays)).toBeLessThan(0.85);
    const { reasons, late } = await reported(`
      SELECT arrayStringConcat(arraySort(groupUniqArray(traffic)), ',') AS reasons,
        toString(countIf(at >= '2026-11-20 00:00:00')) AS late FROM clicks`);
    expect(reasons?.split(",")).toEqual(["", "bot", "duplicate", "too_fast"]);
    expect(late).toBe("0");
  });

  it("names its channels and tenants as simulated, and shows nobody else anything", async () => {
    const { tenants } = await reported(
      "SELECT arrayStringConcat(arraySort(groupUniqArray(tenant_id)), ',') AS tenants FROM report_slots",
    );
    expect(tenants).toMatch(/^ten_0simulated\w{16},ten_demo$/);
    const { channels } = await reported(
      "SELECT arrayStringConcat(arraySort(groupUniqArray(channel_id)), ',') AS channels FROM report_slots",
    );
    expect(channels).toMatch(/^chn_0simulated\w{16},chn_0simulated\w{16},network$/);
    const names = await database.sql.query("SELECT name FROM channels WHERE id LIKE 'chn_0simulated%'");
    for (const { name } of names.rows) expect(name).toMatch(/\(simulated\)$/);
    expect((await database.sql.query("SELECT FROM offers WHERE house OR mode <> 'live'")).rowCount).toBe(0);
  });

  it("is the same each time", async () => {
    const traffic = await findSimulatedTraffic(database.sql, tenantId);
    const items = await simulatedItems(database.sql, { tenantId, partnerId: traffic?.partnerId ?? "" });
    const day = () =>
      simulateDay(
        { tenantId, items, toMs: NOW.getTime(), publisherShare: 0.7 },
        { dayMs: Date.parse("2026-11-03T00:00:00Z"), index: 13 },
      );
    expect(day()).toEqual(day());
    expect(day().offers.length).toBeGreaterThan(200);
  });
});
