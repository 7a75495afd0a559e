import { expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";

const database = await openForFile(testDatabase());

const debit = (day: string, nanos: number) =>
  database.sql.query(
    `INSERT INTO campaign_spend (campaign_id, day, nanos) VALUES ('cmp_1', $1, $2)
     ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = campaign_spend.nanos + excluded.nanos`,
    [day, nanos],
  );
const totals = async () => (await database.sql.query("SELECT nanos::int FROM campaign_totals")).rows;

it("the total of a campaign is the sum of its days, whichever statement writes them", async () => {
  await debit("2024-01-01", 40);
  await debit("2026-11-21", 2);
  await debit("2026-11-21", 1000);
  expect(await totals()).toEqual([{ nanos: 1042 }]);
  await database.sql.query("UPDATE campaign_spend SET nanos = nanos + 5");
  expect(await totals()).toEqual([{ nanos: 1052 }]);
  await database.sql.query("DELETE FROM campaign_spend WHERE day = '2024-01-01'");
  expect(await totals()).toEqual([{ nanos: 1007 }]);
  const moved = database.sql.query("UPDATE campaign_spend SET campaign_id = 'cmp_2'");
  await expect(moved).rejects.toThrow("campaign_spend.campaign_id does not change");
});
