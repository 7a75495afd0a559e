import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";

/** The time zone of the session decides nothing. */
const database = await openForFile(testDatabase());
const client = new Client({ connectionString: database.url, options: "-c TimeZone=America/New_York" });
await client.connect();
afterAll(() => client.end());

const charge = (n: number, at: string, { earning, event = "click" }: { earning: number; event?: string }) =>
  client.query(
    `INSERT INTO ledger (offer_id, event, at, day, campaign_id, buyer_tenant_id, publisher_tenant_id, charge_nanos, earning_nanos)
     VALUES ($1, $2, $3, '2026-11-01', 'cmp_1', 'ten_buyer', 'ten_publisher', 1000 * sign($4::int + 0.5), $4)`,
    [`00000000-0000-7000-8000-00000000000${n}`, event, at, earning],
  );

it("sums earnings by UTC day, and reversals apart", async () => {
  await charge(1, "2026-11-01T23:59:59.999Z", { earning: 700 });
  await charge(2, "2026-11-01T00:00:00Z", { earning: 50 });
  await charge(3, "2026-11-02T00:00:00Z", { earning: 7 });
  await charge(4, "2026-11-03T00:00:00Z", { earning: 0 });
  const earnings = async () =>
    (
      await client.query(
        "SELECT day::text, earned_nanos::int AS earned, clawed_back_nanos::int AS clawed_back FROM publisher_earnings ORDER BY day",
      )
    ).rows;
  expect(await earnings()).toEqual([
    { day: "2026-11-01", earned: 750, clawed_back: 0 },
    { day: "2026-11-02", earned: 7, clawed_back: 0 },
  ]);
  await charge(5, "2026-11-02T12:00:00Z", { earning: 3 });
  await charge(1, "2026-11-01T23:59:59.999Z", { earning: -700, event: "click_reversal" });
  expect(await earnings()).toEqual([
    { day: "2026-11-01", earned: 750, clawed_back: 700 },
    { day: "2026-11-02", earned: 10, clawed_back: 0 },
  ]);
});

it("accepts one reversal per event and no row whose amounts have the wrong sign", async () => {
  await expect(charge(1, "2026-11-01T23:59:59.999Z", { earning: -700, event: "click_reversal" })).rejects.toThrow(
    "ledger_pkey",
  );
  await expect(charge(6, "2026-11-01T00:00:00Z", { earning: 700, event: "click_reversal" })).rejects.toThrow(
    "ledger_amounts_check",
  );
  await expect(charge(6, "2026-11-01T00:00:00Z", { earning: -700, event: "click" })).rejects.toThrow(
    "ledger_amounts_check",
  );
  await expect(charge(6, "2026-11-01T00:00:00Z", { earning: 700, event: "gift" })).rejects.toThrow(
    "ledger_amounts_check",
  );
});
