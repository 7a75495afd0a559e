import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";

/** The time zone of the session decides nothing. */
const database = await openForFile(testDatabase());
const client = new Client({ connectionString: database.url, options: "-c TimeZone=America/New_York" });
await client.connect();
afterAll(() => client.end());

interface Charge {
  buyer?: string;
  channel?: string;
  event?: string;
  charge: number;
  earning: number;
}

const charge = (
  n: number,
  at: string,
  { buyer = "ten_buyer", channel = "chn_1", event = "click", ...amounts }: Charge,
) =>
  client.query(
    `INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, channel_id,
       charge_nanos, earning_nanos)
     VALUES ($1, $2, $3, '2026-11-01', 'cmp_1', $4, 'ten_publisher', $5, $6, $7)`,
    [`00000000-0000-7000-8000-00000000000${n}`, event, at, buyer, channel, amounts.charge, amounts.earning],
  );

const sums = async () =>
  (
    await client.query(
      `SELECT tenant_id AS tenant, kind, day::text, item_id AS item, nanos::int, reversed_nanos::int AS reversed
       FROM ledger_days ORDER BY kind, day`,
    )
  ).rows;

it("sums charges by UTC day for the buyer and the publisher, and reversals apart", async () => {
  await charge(1, "2026-10-31T23:59:59.999Z", { charge: 1000, earning: 700 });
  await charge(1, "2026-10-31T23:59:59.999Z", { charge: -1000, earning: -700, event: "click_reversal" });
  await charge(2, "2026-11-01T00:00:00Z", { charge: 11, earning: 7 });
  await charge(3, "2026-11-01T00:00:00Z", { charge: 5, earning: 0, buyer: "ten_publisher" });
  const buyer = { tenant: "ten_buyer", kind: "spent", item: "cmp_1" };
  const publisher = { tenant: "ten_publisher", kind: "earned", item: "chn_1" };
  const own = { tenant: "ten_publisher", kind: "own", item: "cmp_1", day: "2026-11-01", nanos: 5, reversed: 0 };
  expect(await sums()).toEqual([
    { ...publisher, day: "2026-10-31", nanos: 700, reversed: 700 },
    { ...publisher, day: "2026-11-01", nanos: 7, reversed: 0 },
    own,
    { ...buyer, day: "2026-10-31", nanos: 1000, reversed: 1000 },
    { ...buyer, day: "2026-11-01", nanos: 11, reversed: 0 },
  ]);
  await charge(4, "2026-11-01T23:00:00Z", { charge: 3, earning: 2 });
  await charge(2, "2026-11-01T00:00:00Z", { charge: -11, earning: -7, event: "click_reversal" });
  expect(await sums()).toEqual([
    { ...publisher, day: "2026-10-31", nanos: 700, reversed: 700 },
    { ...publisher, day: "2026-11-01", nanos: 9, reversed: 7 },
    own,
    { ...buyer, day: "2026-10-31", nanos: 1000, reversed: 1000 },
    { ...buyer, day: "2026-11-01", nanos: 14, reversed: 11 },
  ]);
});
