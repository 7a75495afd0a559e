import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrationSteps } from "../../../test/factories/migration-steps";

const MIGRATION = "20261122140000_campaign_totals";

let steps: Awaited<ReturnType<typeof migrationSteps>>;
beforeAll(async () => {
  steps = await migrationSteps();
});
afterAll(() => steps.close());

/** Debits a campaign's day as the previous version does. */
const debit = (client: Client, day: string, nanos: number) =>
  client.query(
    `INSERT INTO campaign_spend (campaign_id, day, nanos) VALUES ('cmp_1', $1, $2)
     ON CONFLICT (campaign_id, day) DO UPDATE SET nanos = campaign_spend.nanos + excluded.nanos`,
    [day, nanos],
  );

it("sums existing spend, and processes of the previous version can still add to it, even during the migration", async () => {
  await steps.deploy((name) => name < MIGRATION);
  const [old, reader] = [await steps.connect(), await steps.connect()];
  await debit(old, "2024-01-01", 40);
  await debit(old, "2026-11-21", 2);
  // A claim in progress when the migration starts is included in the total too.
  await old.query("BEGIN");
  await debit(old, "2026-11-21", 100);
  const deployed = steps.deploy((name) => name <= MIGRATION);
  const isWaiting = async () =>
    (await reader.query("SELECT FROM pg_locks WHERE NOT granted AND relation = 'campaign_spend'::regclass")).rowCount;
  await expect.poll(isWaiting, { timeout: 30_000 }).toBe(1);
  await old.query("COMMIT");
  await deployed;
  const total = async () => (await reader.query("SELECT nanos::int FROM campaign_totals")).rows;
  expect(await total()).toEqual([{ nanos: 142 }]);
  await debit(old, "2026-11-21", 1000);
  await debit(old, "2026-11-22", 10_000);
  expect(await total()).toEqual([{ nanos: 11_142 }]);
});
