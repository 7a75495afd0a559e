import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { adsTest, call, makeCampaign, makeChannel, refusal } from "../../../test/factories/ads";
import { offerRecord } from "../../../test/factories/offer-record";
import { openForFile } from "../../../test/factories/open-for-file";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { inTransaction } from "../../engines/postgres/in-transaction";
import { makePartitions } from "../../engines/postgres/partitions";
import { ManualClock } from "../../kernel/clock";
import { creditTenant } from "../balances/credit-tenant";
import { getBalance } from "../balances/get-balance";
import { ClawBack, clawBack } from "../clawbacks/claw-back";
import { getEarnings } from "../earnings/get-earnings";
import { Claims } from "../events/claims";
import { claimOf } from "../events/replay-click";
import type { OfferRecord } from "../offer-records/offer-record";
import { insertOffers } from "../offer-records/offers.sql";
import { getEarningsStatement } from "./get-earnings-statement";
import { getSpendStatement } from "./get-spend-statement";
import { listStatements } from "./list-statements";
import { readEarnings, readSpend } from "./statements.sql";

const SHARE = 0.7;
const OCTOBER_END = Date.parse("2026-10-31T23:59:59.999Z");
const NOVEMBER_START = Date.parse("2026-11-01T00:00:00Z");
const NOVEMBER_LATER = Date.parse("2026-11-19T12:00:00Z");
const TIMES = [Date.parse("2026-10-05T01:00:00Z"), OCTOBER_END, NOVEMBER_START, NOVEMBER_LATER];
/** On each channel, for each campaign and time. */
const EVENTS = 6;

// Its clock is at 2026-11-20: events of October 20 are available, those of October 31 are pending.
const ads = await openForFile(adsTest());
const elsewhere = await openForFile(connectPostgres(ads.url, { poolMax: 4 }));
const days = TIMES.map((at) => new Date(at).toISOString().slice(0, 10));
await inTransaction(ads.sql, (client) =>
  makePartitions(
    client,
    days.map((day) => `offers_${day.replaceAll("-", "")}`),
  ),
);

async function makeParty(name: string) {
  const tenant = await ads.tenant();
  const live = tenant.key("live");
  const campaigns = [];
  // Amounts that no number of micros can express.
  for (const bid of [123_457, 500_001])
    campaigns.push(await makeCampaign(live, { name, bid_micros: bid, model: "cpm" }));
  const channels = [await makeChannel(live, { name: `${name} A` }), await makeChannel(live, { name: `${name} B` })];
  return { id: tenant.id, live, test: tenant.key("test"), channels, campaigns };
}
type Party = Awaited<ReturnType<typeof makeParty>>;

const credit = (party: Party, amount_micros: number, at: string) =>
  creditTenant(
    { db: ads.db, clock: new ManualClock(new Date(at)), currency: "USD" },
    { tenant_id: party.id, amount_micros },
  );

/** Offers of each of the buyer's campaigns on each of the publisher's channels, served at the time. */
async function offersOf([publisher, buyer]: [Party, Party], at: number): Promise<OfferRecord[]> {
  const records = publisher.channels.flatMap((channel) =>
    buyer.campaigns.flatMap((campaign) =>
      Array.from({ length: EVENTS }, () =>
        offerRecord(at, {
          tenantId: publisher.id,
          buyerTenantId: buyer.id,
          geo: "DE",
          channelId: channel.id,
          campaignId: campaign.id,
          advertiserId: campaign.advertiser_id,
          priceNanos: campaign.bid_micros + 1,
        }),
      ),
    ),
  );
  await insertOffers(ads.sql, records);
  return records;
}

/** Each click is claimed by two processes at once, one event of each offer. */
async function clickAll(records: readonly OfferRecord[], at: number): Promise<void> {
  const processes = [new Claims(ads.sql), new Claims(elsewhere.sql)];
  await Promise.all(
    records.flatMap((record) =>
      processes.map((claims) =>
        claims.claim(
          "clicks",
          claimOf(record, { clickId: randomBytes(16).toString("hex"), at, publisherShare: SHARE }),
        ),
      ),
    ),
  );
}

/** "1.50" in nanos. */
function nanosOf(amount: string): bigint {
  const [whole = "", decimals = ""] = amount.replace("-", "").split(".");
  const nanos = BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, "0"));
  return amount.startsWith("-") ? -nanos : nanos;
}

const micros = (nanos: bigint): number => Number((nanos + 500n) / 1000n);

interface LedgerSum {
  item: string;
  plus: bigint;
  minus: bigint;
}

/** The ledger's own rows of a month, summed. */
async function ledgerSums(item: string, where: string, values: unknown[]): Promise<LedgerSum[]> {
  const amount = item === "channel_id" ? "earning_nanos" : "charge_nanos";
  const { rows } = await ads.sql.query<LedgerSum>(
    `SELECT ${item} AS item, coalesce(sum(${amount}) FILTER (WHERE ${amount} > 0), 0)::bigint AS plus,
       coalesce(-sum(${amount}) FILTER (WHERE ${amount} < 0), 0)::bigint AS minus
     FROM ledger WHERE ${where} AND to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') = $2 GROUP BY 1 ORDER BY 1`,
    values,
  );
  return rows;
}

const byItem = (rows: LedgerSum[]): LedgerSum[] => rows.toSorted((a, b) => (a.item < b.item ? -1 : 1));

async function expectEarnings(publisher: Party, month: string): Promise<void> {
  const statement = await call(publisher.live, getEarningsStatement, { month });
  const ledger = await ledgerSums("channel_id", "publisher_tenant_id = $1 AND buyer_tenant_id <> $1", [
    publisher.id,
    month,
  ]);
  const lines = statement.lines.map(({ channel_id, earned, clawed_back }) => ({
    item: channel_id ?? "",
    plus: nanosOf(earned),
    minus: nanosOf(clawed_back),
  }));
  expect(byItem(lines)).toEqual(ledger);
  for (const { earned, clawed_back, pending, available } of [statement.totals, ...statement.lines]) {
    expect(nanosOf(pending) + nanosOf(available)).toBe(nanosOf(earned) - nanosOf(clawed_back));
  }
  for (const key of ["earned", "clawed_back"] as const) {
    const total = nanosOf(statement.totals[key]);
    expect(total).toBe(statement.lines.reduce((sum, line) => sum + nanosOf(line[key]), 0n));
    expect(total).toBe(statement.days.reduce((sum, day) => sum + nanosOf(day[key]), 0n));
  }
}

async function expectSpend(buyer: Party, month: string): Promise<void> {
  const statement = await call(buyer.live, getSpendStatement, { month });
  const network = await ledgerSums("campaign_id", "buyer_tenant_id = $1 AND publisher_tenant_id <> $1", [
    buyer.id,
    month,
  ]);
  const own = await ledgerSums("campaign_id", "buyer_tenant_id = $1 AND publisher_tenant_id = $1", [buyer.id, month]);
  const { lines, days, totals } = statement;
  const charged = lines.map((line) => ({
    item: line.campaign_id ?? "",
    plus: nanosOf(line.charged),
    minus: nanosOf(line.reversed),
  }));
  expect(byItem(charged).filter(({ plus }) => plus > 0n)).toEqual(network);
  const ownCharges = lines.map((line) => ({
    item: line.campaign_id ?? "",
    plus: nanosOf(line.own_channels),
    minus: 0n,
  }));
  expect(byItem(ownCharges).filter(({ plus }) => plus > 0n)).toEqual(own);
  for (const key of ["charged", "reversed", "own_channels"] as const) {
    expect(nanosOf(totals[key])).toBe(lines.reduce((sum, line) => sum + nanosOf(line[key]), 0n));
    expect(nanosOf(totals[key])).toBe(days.reduce((sum, day) => sum + nanosOf(day[key]), 0n));
  }
  expectBalanced(statement);
}

type Balanced = Awaited<ReturnType<typeof getSpendStatement.run>>;

function expectBalanced({ totals, opening_balance, credited, closing_balance }: Balanced): void {
  expect(nanosOf(totals.spent)).toBe(nanosOf(totals.charged) - nanosOf(totals.reversed));
  expect(nanosOf(closing_balance)).toBe(nanosOf(opening_balance) + nanosOf(credited) - nanosOf(totals.spent));
}

describe("statements", () => {
  let publisher: Party;
  let rival: Party;
  let buyer: Party;
  let other: Party;

  beforeAll(async () => {
    [publisher, rival, buyer, other] = (await Promise.all(["Press", "Rival", "Boots", "Lamps"].map(makeParty))) as [
      Party,
      Party,
      Party,
      Party,
    ];
    await credit(buyer, 5_000_000, "2026-10-01T00:00:00Z");
    await credit(other, 5_000_000, "2026-10-01T00:00:00Z");
    await credit(buyer, 1_000_000, "2026-11-01T00:00:00Z");
    const sides: [Party, Party][] = [
      [publisher, buyer],
      [publisher, other],
      [rival, buyer],
      [buyer, buyer],
    ];
    const perTime = await Promise.all(
      TIMES.map(async (at) => ({
        at,
        records: (await Promise.all(sides.map((each) => offersOf(each, at)))).flat(),
      })),
    );
    let isDone = false;
    const claimed = Promise.all(perTime.map(({ records, at }) => clickAll(records, at))).finally(() => {
      isDone = true;
    });
    // While claims are committed, every statement is of one moment: nothing is in one part and missing in another.
    do {
      const statement = await call(buyer.live, getSpendStatement, { month: "2026-10" });
      expectBalanced(statement);
      expect(statement.opening_balance).toBe("0.00");
      await expectWhole(publisher);
    } while (!isDone);
    await claimed;
  });

  async function expectWhole(party: Party): Promise<void> {
    const { totals, lines, days } = await call(party.live, getEarningsStatement, { month: "2026-11" });
    const [ofLines, ofDays] = [lines, days].map((parts) =>
      parts.reduce((sum, { earned }) => sum + nanosOf(earned), 0n),
    );
    expect([ofLines, ofDays]).toEqual([nanosOf(totals.earned), nanosOf(totals.earned)]);
  }

  it("have exactly the sums of the ledger, by UTC month, however many processes claimed at once", async () => {
    const { rows } = await ads.sql.query<{ n: number }>("SELECT count(*)::int AS n FROM ledger");
    expect(rows[0]?.n).toBe(TIMES.length * 4 * 2 * 2 * EVENTS);
    for (const month of ["2026-09", "2026-10", "2026-11"]) {
      for (const party of [publisher, rival, buyer, other]) {
        await expectEarnings(party, month);
        await expectSpend(party, month);
      }
    }
    const october = await call(publisher.live, getEarningsStatement, { month: "2026-10" });
    expect(october.days.map(({ date }) => date)).toEqual(["2026-10-05", "2026-10-31"]);
    expect(october.lines).toHaveLength(2);
    expect(october.lines.map(({ channel_name }) => channel_name).toSorted()).toEqual(["Press A", "Press B"]);
    // Half of October is from before the pending days.
    expect(october).toMatchObject({ state: "pending", totals: { pending: october.totals.available } });
  });

  it("show a buyer its spend alone and a publisher its earnings alone", async () => {
    for (const month of ["2026-10", "2026-11"]) {
      expect(await call(publisher.live, getSpendStatement, { month })).toMatchObject({
        lines: [],
        days: [],
        opening_balance: "0.00",
        closing_balance: "0.00",
      });
      const earned = await call(buyer.live, getEarningsStatement, { month });
      expect(earned).toMatchObject({ lines: [], days: [], totals: { earned: "0.00" } });
      const spent = await call(buyer.live, getSpendStatement, { month });
      const strangers = [publisher, rival, other].flatMap(({ id, channels, campaigns }) => [
        id,
        ...channels.map((channel) => channel.id),
        ...campaigns.map((campaign) => campaign.id),
        ...channels.map(({ name }) => name),
      ]);
      for (const stranger of strangers) expect(JSON.stringify(spent)).not.toContain(stranger);
      const sold = JSON.stringify(await call(publisher.live, getEarningsStatement, { month }));
      for (const { id, campaigns } of [buyer, other, rival])
        for (const stranger of [id, ...campaigns.map((campaign) => campaign.id)]) expect(sold).not.toContain(stranger);
    }
  });

  it("are listed by month with the same sums, and end with the present balance", async () => {
    const { data } = await call(buyer.live, listStatements, {});
    expect(data.map(({ month, state }) => [month, state])).toEqual([
      ["2026-11", "open"],
      ["2026-10", "pending"],
    ]);
    for (const { month, spend } of data) {
      const statement = await call(buyer.live, getSpendStatement, { month });
      const { totals, credited, closing_balance } = statement;
      expect(spend).toEqual({
        charged_micros: micros(nanosOf(totals.charged)),
        reversed_micros: 0,
        spent_micros: micros(nanosOf(totals.spent)),
        own_channels_micros: micros(nanosOf(totals.own_channels)),
        credited_micros: micros(nanosOf(credited)),
        closing_balance_micros: micros(nanosOf(closing_balance)),
      });
    }
    const { rows } = await ads.sql.query<{ left: bigint }>(
      "SELECT credited_nanos - spent_nanos AS left FROM tenant_balances WHERE tenant_id = $1",
      [buyer.id],
    );
    const november = await call(buyer.live, getSpendStatement, { month: "2026-11" });
    expect(nanosOf(november.closing_balance)).toBe(rows[0]?.left);
    expect((await call(buyer.live, getBalance, {})).available_micros).toBe(Number((rows[0]?.left ?? 0n) / 1000n));
    const months = (await call(publisher.live, listStatements, {})).data;
    const earnings = await call(publisher.live, getEarnings, {});
    const sum = (key: "pending_micros" | "available_micros") =>
      months.reduce((total, month) => total + month.earnings[key], 0);
    expect(Math.abs(sum("pending_micros") - earnings.pending_micros)).toBeLessThanOrEqual(1);
    expect(Math.abs(sum("available_micros") - earnings.available_micros)).toBeLessThanOrEqual(1);
  });

  it("sum what exceeds their lines in one line without an id", async () => {
    const days = { tenantId: publisher.id, from: "2026-10-01", to: "2026-11-01", pendingFrom: "2026-10-21" };
    const all = await readEarnings(ads.sql, { ...days, linesMax: 5000 });
    const [first, rest, ...others] = (await readEarnings(ads.sql, { ...days, linesMax: 1 })).lines;
    expect(first).toEqual(all.lines[0]);
    expect(rest).toMatchObject({ id: null, name: null, earned: all.lines[1]?.earned });
    expect(others).toEqual([]);
    const spent = await readSpend(ads.sql, { ...days, tenantId: buyer.id, linesMax: 0 });
    const whole = await readSpend(ads.sql, { ...days, tenantId: buyer.id, linesMax: 5000 });
    expect(spent.lines).toHaveLength(1);
    expect(spent.lines[0]?.charged).toBe(whole.lines.reduce((sum, { charged }) => sum + charged, 0n));
  });

  it("have no money in test mode", async () => {
    expect(await call(buyer.test, listStatements, {})).toEqual({ data: [], next_cursor: null });
    const asked = { month: "2026-11" };
    expect(await call(publisher.test, getEarningsStatement, asked)).toMatchObject({ simulated: true, lines: [] });
    expect(await call(buyer.test, getSpendStatement, asked)).toMatchObject({ simulated: true, credited: "0.00" });
  });

  it("follow a clawback in the month of its events, for the publisher and for its buyers", async () => {
    const clock = ads.clock;
    const ctx = { db: ads.db, sql: ads.sql, clock, currency: "USD", mail: { send: async () => undefined } };
    const [channel] = publisher.channels;
    const before = await call(buyer.live, getSpendStatement, { month: "2026-11" });
    await clawBack(ctx, ClawBack.parse({ channel: channel?.id, from: "2026-11-10", reason: "Bots", confirmed: true }));
    for (const party of [publisher, buyer, other]) {
      for (const month of ["2026-10", "2026-11"]) {
        await expectEarnings(party, month);
        await expectSpend(party, month);
      }
    }
    const after = await call(buyer.live, getSpendStatement, { month: "2026-11" });
    const back = nanosOf(after.totals.reversed);
    expect(back).toBeGreaterThan(0n);
    expect(nanosOf(after.closing_balance) - nanosOf(before.closing_balance)).toBe(back);
    expect(after.opening_balance).toBe(before.opening_balance);
  });
});

describe("a month", () => {
  it("that has not begun or is none is rejected, and one without events has zeros", async () => {
    const { live } = await makeParty("Quiet");
    const fault = await refusal(call(live, getSpendStatement, { month: "2026-12" }));
    expect(fault).toMatchObject({ code: "invalid_request", param: "month" });
    for (const month of ["2026-13", "2026-1", "0000-01", "2026-11-01", "November"]) {
      expect(getEarningsStatement.input.safeParse({ month }).success).toBe(false);
    }
    expect(await call(live, getEarningsStatement, { month: "2026-01" })).toMatchObject({
      state: "final",
      lines: [],
      totals: { earned: "0.00", available: "0.00" },
    });
    expect((await call(live, listStatements, {})).data).toEqual([]);
  });
});
