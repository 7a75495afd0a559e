import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { adsTest, makeCampaign, makeChannel, refusal } from "../../../test/factories/ads";
import type { AdsCtx } from "../../../test/factories/ads-ctx";
import { testAlarms } from "../../../test/factories/alarms";
import { eventually } from "../../../test/factories/app";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { offerRecord } from "../../../test/factories/offer-record";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { ManualClock } from "../../kernel/clock";
import { getEarnings } from "../earnings/get-earnings";
import { Claims } from "../events/claims";
import { chargeOf, eventRow, payerOf } from "../events/event-rows";
import { claimOf } from "../events/replay-click";
import { shipOutbox } from "../events/ship-outbox";
import { noStep } from "../events/steps";
import type { OfferRecord } from "../offer-records/offer-record";
import { insertOffers } from "../offer-records/offers.sql";
import { getReport } from "../reports/get-report";
import { ClawBack, clawBack } from "./claw-back";
import type { ClawBackCtx } from "./clawback";

/** Noon: no case crosses into another day. */
const NOW = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
const SHARE = 0.7;
const log = pino({ level: "silent" });
/** Just after the events. */
const clock = new ManualClock(new Date(NOW + 10_000));
let emails: { to: string; text: string }[];
let ctx: ClawBackCtx;
const [ads, clickhouse] = await Promise.all([adsTest(), testClickHouse()]);
const elsewhere = connectPostgres(ads.url, { poolMax: 4 });
const claims = new Claims(ads.sql);
beforeEach(() => {
  emails = [];
  const mail = { send: async (_tx: unknown, email: { to: string; text: string }) => void emails.push(email) };
  ctx = { db: ads.db, sql: ads.sql, clock, mail, currency: "USD" };
});
afterAll(async () => {
  await elsewhere.close();
  await clickhouse.close();
  await ads.close();
});

const run = (input: Record<string, unknown>, on = ctx) =>
  clawBack(on, ClawBack.parse({ reason: "Clicks from one rack of a data center", ...input }));

/** A tenant with an owner, money to spend, a live channel and a live campaign. */
async function makeParty(campaign: Record<string, unknown> = {}) {
  const tenant = await ads.tenant();
  const live = tenant.key("live");
  await ads.sql.query("INSERT INTO tenant_balances (tenant_id, credited_nanos) VALUES ($1, 1000000000000)", [
    tenant.id,
  ]);
  const userId = `usr_${randomBytes(8).toString("hex")}`;
  const user = { id: userId, email: `${userId}@example.com`, passwordHash: "x", createdAt: clock.now() };
  await ads.db.user.create({ data: user });
  await ads.db.membership.create({
    data: { userId, tenantId: tenant.id, role: "owner", createdAt: clock.now() },
  });
  const [channel, made] = [await makeChannel(live, { name: "Secret shop" }), await makeCampaign(live, campaign)];
  return { id: tenant.id, email: user.email, live, channel, campaign: made };
}
type Party = Awaited<ReturnType<typeof makeParty>>;

/** Served on the publisher's channel. */
async function offersOf(publisher: Pick<Party, "id" | "channel">, buyer: Party, count: number) {
  const { id: campaignId, advertiser_id: advertiserId, model, bid_micros } = buyer.campaign;
  const records = Array.from({ length: count }, (_, i) =>
    offerRecord(NOW, {
      tenantId: publisher.id,
      channelId: publisher.channel.id,
      buyerTenantId: buyer.id,
      geo: i % 2 ? "DE" : "US",
      priceNanos: model === "cpc" ? bid_micros * 1000 + 1 : bid_micros + 1,
      model,
      advertiserId,
      campaignId,
    }),
  );
  await insertOffers(ads.sql, records);
  return records;
}

/** The charged event of each offer: a click, or an impression under cpm. */
const charge = (records: readonly OfferRecord[], at = NOW) =>
  Promise.all(
    records.map((record) => {
      if (record.model === "cpc") {
        const clickId = randomBytes(16).toString("hex");
        return claims.claim("clicks", claimOf(record, { clickId, at, publisherShare: SHARE }));
      }
      const cost = chargeOf(record, "impression", SHARE);
      const row = { ...eventRow(record, at, cost), reported_by: "browser", traffic: "" };
      const { id: offerId, campaignId } = record;
      const shared = { offerId, at, clickId: null, campaignId, payerId: payerOf(record) };
      return claims.claim("impressions", { ...shared, chargeNanos: cost.chargeNanos, row });
    }),
  );

async function one<T>(text: string, values: unknown[]): Promise<T> {
  const { rows } = await ads.sql.query(text, values);
  return rows[0] as T;
}

/** Everything that must match the ledger for a buyer and a publisher, in nanos. */
async function books(publisher: Party, buyer: Party) {
  const ledger = await one<{ charge: bigint; earning: bigint }>(
    `SELECT coalesce(sum(charge_nanos), 0)::bigint AS charge, coalesce(sum(earning_nanos), 0)::bigint AS earning
     FROM ledger WHERE buyer_tenant_id = $1 AND publisher_tenant_id = $2`,
    [buyer.id, publisher.id],
  );
  const { spend } = await one<{ spend: bigint }>(
    "SELECT coalesce(sum(nanos), 0)::bigint AS spend FROM campaign_spend WHERE campaign_id = $1",
    [buyer.campaign.id],
  );
  const { total } = await one<{ total: bigint }>(
    "SELECT coalesce(sum(nanos), 0)::bigint AS total FROM campaign_totals WHERE campaign_id = $1",
    [buyer.campaign.id],
  );
  expect(total).toBe(spend);
  const { prepaid } = await one<{ prepaid: bigint }>(
    "SELECT spent_nanos AS prepaid FROM tenant_balances WHERE tenant_id = $1",
    [buyer.id],
  );
  return { ...ledger, spend, prepaid };
}

async function expectEarnings(publisher: Party): Promise<void> {
  const days = await ads.sql.query(
    `SELECT earned_nanos, clawed_back_nanos FROM publisher_earnings WHERE tenant_id = $1 ORDER BY day`,
    [publisher.id],
  );
  const ledger = await ads.sql.query(
    `SELECT sum(earning_nanos) FILTER (WHERE earning_nanos > 0)::bigint AS earned_nanos,
       coalesce(-sum(earning_nanos) FILTER (WHERE earning_nanos < 0), 0)::bigint AS clawed_back_nanos
     FROM ledger WHERE publisher_tenant_id = $1 GROUP BY (at AT TIME ZONE 'UTC')::date
     HAVING sum(abs(earning_nanos)) > 0 ORDER BY (at AT TIME ZONE 'UTC')::date`,
    [publisher.id],
  );
  expect(days.rows).toEqual(ledger.rows);
}

async function ship(): Promise<void> {
  const deadLetters = { add: ({ failure }: { failure: unknown }) => Promise.reject(failure) };
  const alarms = testAlarms({ sql: ads.sql });
  const loop = shipOutbox({ sql: ads.sql, alarms, clickhouse: clickhouse.client, deadLetters, log, atStep: noStep });
  await eventually(async () => {
    const { waiting } = await one<{ waiting: bigint }>(
      "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM outbox_slices) AS waiting",
      [],
    );
    return waiting === 0n;
  });
  await loop.stop();
}

async function clickhouseSums(query: string): Promise<string[]> {
  const found = await clickhouse.client.query({ query, format: "JSONCompactEachRow" });
  return (await found.json<string[]>())[0] ?? [];
}

/** [spend, earnings] of a buyer and a publisher from the rollup, and from the single events. */
async function inClickHouse(publisher: Party, buyer: Party) {
  const rollup = await clickhouseSums(`
    SELECT toString(sumIf(spend_nanos, tenant_id = '${buyer.id}')), toString(sumIf(earnings_nanos, tenant_id = '${publisher.id}'))
    FROM report_slots WHERE (tenant_id, channel_id) IN (('${buyer.id}', 'network'), ('${publisher.id}', '${publisher.channel.id}'))`);
  const events = ["impressions", "clicks", "reversals"].map(
    (table) => `SELECT toInt64(charge_nanos) AS charge, toInt64(earning_nanos) AS earning FROM ${table}
      WHERE buyer_tenant_id = '${buyer.id}' AND tenant_id = '${publisher.id}'`,
  );
  const raw = await clickhouseSums(
    `SELECT toString(sum(charge)), toString(sum(earning)) FROM (${events.join(" UNION ALL ")})`,
  );
  return { rollup, raw };
}

async function reportOf({ live }: Party, group_by = "") {
  const reader = { ...live, clickhouse: clickhouse.client, clock: new ManualClock(new Date(NOW + 1000)) };
  return getReport.run(reader, getReport.input.parse({ mode: "live", group_by }));
}

const earningsOf = ({ live }: Party, at = clock) => getEarnings.run({ ...live, clock: at }, { mode: "live" });

describe("a clawback", () => {
  it("reverses every nano of a channel's events, in Postgres and ClickHouse, and does not affect other channels", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_007 })];
    const viewed = await makeParty({ model: "cpm", bid_micros: 333_333 });
    const other = await makeChannel(publisher.live, {});
    const kept = await offersOf({ ...publisher, channel: other }, buyer, 3);
    await charge([...(await offersOf(publisher, buyer, 20)), ...kept]);
    await charge(await offersOf(publisher, viewed, 7));
    await ship();
    const [click, view] = [
      { charge: 10_007_001n, earning: 7_004_900n },
      { charge: 333_334n, earning: 233_333n },
    ];
    expect(await books(publisher, buyer)).toMatchObject({ charge: 23n * click.charge, earning: 23n * click.earning });

    const dry = await run({ channel: publisher.channel.id });
    const sums = { events: 27, chargeNanos: 20n * click.charge + 7n * view.charge };
    expect(dry).toMatchObject({
      finished: [],
      found: [{ ...sums, earningNanos: 20n * click.earning + 7n * view.earning }],
    });
    expect(await books(publisher, buyer)).toMatchObject({ charge: 23n * click.charge });

    const done = await run({ channel: publisher.channel.id, confirmed: true });
    expect(done.finished).toMatchObject([sums]);
    const left = { charge: 3n * click.charge, earning: 3n * click.earning };
    expect(await books(publisher, buyer)).toEqual({ ...left, spend: left.charge, prepaid: left.charge });
    expect(await books(publisher, viewed)).toEqual({ charge: 0n, earning: 0n, spend: 0n, prepaid: 0n });
    await expectEarnings(publisher);
    await ship();
    expect(await inClickHouse(publisher, viewed)).toMatchObject({ raw: ["0", "0"] });
    const { rollup, raw } = await inClickHouse({ ...publisher, channel: other }, buyer);
    expect([rollup, raw]).toEqual([Object.values(left).map(String), Object.values(left).map(String)]);
    expect((await reportOf(buyer)).totals).toMatchObject({ spend_micros: 30_021, clicks: 23 });
    const channels = (await reportOf(publisher, "channel,geo,device")).rows;
    expect(
      channels.filter(({ channel }) => channel === publisher.channel.id).map((row) => row.earnings_micros),
    ).toEqual([0, 0]);
  });

  it("reverses each event once, however often and in however many processes it runs", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_000 })];
    await charge(await offersOf(publisher, buyer, 30));
    const input = { channel: publisher.channel.id, confirmed: true };
    const there = { ...ctx, sql: elsewhere.sql, db: elsewhere.db };
    await Promise.all([run(input), run(input, there), run(input), run(input, there)]);
    expect(await run(input)).toMatchObject({ finished: [] });
    expect(await books(publisher, buyer)).toEqual({ charge: 0n, earning: 0n, spend: 0n, prepaid: 0n });
    await expectEarnings(publisher);
    await ship();
    expect(await inClickHouse(publisher, buyer)).toEqual({ rollup: ["0", "0"], raw: ["0", "0"] });
    expect(emails).toHaveLength(1);
    const count = (tenantId: string, action: string) => ads.db.auditEntry.count({ where: { tenantId, action } });
    expect([await count(publisher.id, "earnings.clawed_back"), await count(buyer.id, "charges.reversed")]).toEqual([
      1, 1,
    ]);
  });

  it("runs concurrently with new events, and the results add up", async () => {
    const [publisher, buyer] = [
      await makeParty(),
      await makeParty({ bid_micros: 10_000, total_budget_micros: 9_000_000 }),
    ];
    await charge(await offersOf(publisher, buyer, 50));
    const later = await offersOf(publisher, buyer, 200);
    const charging = (async () => {
      for (let at = 0; at < later.length; at += 20) await charge(later.slice(at, at + 20));
    })();
    for (let time = 0; time < 5; time++) await run({ channel: publisher.channel.id, confirmed: true });
    await charging;
    const { charge: spent, ...rest } = await books(publisher, buyer);
    expect(rest).toMatchObject({ spend: spent, prepaid: spent });
    await expectEarnings(publisher);
    await run({ channel: publisher.channel.id, confirmed: true });
    expect(await books(publisher, buyer)).toMatchObject({ charge: 0n, earning: 0n, spend: 0n, prepaid: 0n });
    await ship();
    expect(await inClickHouse(publisher, buyer)).toEqual({ rollup: ["0", "0"], raw: ["0", "0"] });
  });

  it("restores the budget", async () => {
    const [publisher, buyer] = [
      await makeParty(),
      await makeParty({ bid_micros: 10_000, total_budget_micros: 25_000 }),
    ];
    await charge(await offersOf(publisher, buyer, 5));
    const clicks = () =>
      one<{ billed: bigint }>("SELECT count(*) AS billed FROM ledger WHERE buyer_tenant_id = $1 AND event = 'click'", [
        buyer.id,
      ]);
    expect(await clicks()).toEqual({ billed: 2n });
    await run({ channel: publisher.channel.id, confirmed: true });
    await charge(await offersOf(publisher, buyer, 5));
    expect(await clicks()).toEqual({ billed: 4n });
    expect((await books(publisher, buyer)).spend).toBe(20_000_002n);
  });

  it("reverses the given period or offers, never what a publisher pays itself", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_000 })];
    const [early, late] = [await offersOf(publisher, buyer, 4), await offersOf(publisher, buyer, 4)];
    await charge(early, NOW);
    await charge(late, NOW + 5000);
    await charge(await offersOf(publisher, publisher, 2));
    const input = { channel: publisher.channel.id, confirmed: true };
    expect((await run({ ...input, from: new Date(NOW + 5000) })).finished).toMatchObject([{ events: 4 }]);
    const ids = early.slice(0, 2).map(({ id }) => id);
    expect((await run({ ...input, offers: ids })).finished).toMatchObject([{ events: 2 }]);
    expect((await run(input)).finished).toMatchObject([{ events: 2 }]);
    const own = await one<{ events: bigint }>("SELECT count(*) AS events FROM ledger WHERE buyer_tenant_id = $1", [
      publisher.id,
    ]);
    expect(own.events).toBe(2n);
  });

  it("reverses only pending earnings, unless available ones are included", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_000 })];
    await charge(await offersOf(publisher, buyer, 2));
    const [lastPendingDay, later] = [new ManualClock(new Date(NOW)), new ManualClock(new Date(NOW))];
    const midnight = Math.floor(NOW / 86_400_000) * 86_400_000;
    lastPendingDay.advance(midnight + 31 * 86_400_000 - 1 - NOW);
    later.advance(midnight + 31 * 86_400_000 - NOW);
    const earned = { pending_micros: 14_000, available_micros: 0, clawed_back_micros: 0 };
    expect(await earningsOf(publisher)).toMatchObject({
      ...earned,
      pending_days: 30,
      next_available: [{ date: later.now().toISOString().slice(0, 10), amount_micros: 14_000 }],
    });
    expect(await earningsOf(publisher, lastPendingDay)).toMatchObject(earned);
    expect(await earningsOf(publisher, later)).toMatchObject({
      pending_micros: 0,
      available_micros: 14_000,
      next_available: [],
    });
    const input = { channel: publisher.channel.id, confirmed: true };
    expect(await run(input, { ...ctx, clock: later })).toMatchObject({ finished: [] });
    const past = run({ ...input, to: new Date(NOW) }, { ...ctx, clock: later });
    expect(await refusal(past)).toMatchObject({ code: "invalid_request", param: "from" });
    const both = await run({ ...input, include_available: true }, { ...ctx, clock: later });
    expect(both.finished).toMatchObject([{ events: 2 }]);
    expect(await earningsOf(publisher, later)).toMatchObject({
      pending_micros: 0,
      available_micros: 0,
      clawed_back_micros: 14_000,
    });
  });

  it("finds the previous version's charges by their offers, and credits no balance that was not debited", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_000 })];
    const stranger = await makeChannel(publisher.live, {});
    await charge(await offersOf(publisher, buyer, 3));
    await charge(await offersOf({ ...publisher, channel: stranger }, buyer, 2));
    await ads.sql.query("UPDATE ledger SET channel_id = '' WHERE buyer_tenant_id = $1", [buyer.id]);
    expect((await run({ channel: publisher.channel.id, confirmed: true })).finished).toMatchObject([{ events: 3 }]);
    expect(await books(publisher, buyer)).toMatchObject({
      charge: 20_000_002n,
      spend: 20_000_002n,
      prepaid: 50_000_005n,
    });
  });

  it("notifies each side without naming the other", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_000 })];
    await charge(await offersOf(publisher, buyer, 3));
    await run({ channel: publisher.channel.id, confirmed: true, block: true });
    const auditOf = async (tenantId: string) =>
      JSON.stringify(
        await ads.db.auditEntry.findMany({
          where: { tenantId, action: { in: ["earnings.clawed_back", "charges.reversed"] } },
          select: { action: true, details: true, targets: true },
        }),
      );
    const [toPublisher, toBuyer] = [await auditOf(publisher.id), await auditOf(buyer.id)];
    expect(toPublisher).toContain('"earning_micros":21000');
    expect(toPublisher).toContain("one rack");
    for (const name of [buyer.id, buyer.campaign.id, buyer.campaign.advertiser_id])
      expect(toPublisher).not.toContain(name);
    expect(toBuyer).toContain('"charge_micros":30000');
    for (const name of [publisher.id, publisher.channel.id, "Secret shop", "one rack"])
      expect(toBuyer).not.toContain(name);
    expect(emails).toMatchObject([{ to: publisher.email, text: expect.stringContaining("Clicks from one rack") }]);
    expect(emails[0]?.text).toContain("$0.021");
    expect(await ads.db.channel.findUnique({ where: { id: publisher.channel.id } })).toMatchObject({
      networkSuspendedAt: clock.now(),
    });
  });

  it("rejects a channel that does not exist", async () => {
    expect(await refusal(run({ channel: "chn_nobody" }))).toMatchObject({ code: "not_found" });
  });
});

describe("earnings", () => {
  it("are zero and simulated in test mode, and are not visible to other tenants", async () => {
    const [publisher, buyer] = [await makeParty(), await makeParty({ bid_micros: 10_000 })];
    await charge(await offersOf(publisher, buyer, 1));
    const test: AdsCtx = { ...publisher.live, actor: { ...publisher.live.actor, mode: "test" } as AdsCtx["actor"] };
    expect(await getEarnings.run({ ...test, clock }, {})).toMatchObject({
      mode: "test",
      simulated: true,
      pending_micros: 0,
    });
    expect(await earningsOf(buyer)).toMatchObject({ mode: "live", simulated: false, pending_micros: 0 });
  });
});
