import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { uuidv7 } from "../../kernel/ids";
import { dropOldPartitions, ensurePartitions } from "./partitions";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date("2031-03-01T00:00:00.000Z");

const database = await openForFile(testDatabase());

const insertOffer = (ms: number) =>
  database.sql.query(
    `INSERT INTO offers (id, request_id, tenant_id, channel_id, mode, buyer_tenant_id, advertiser_id, campaign_id, model, price_nanos, landing_url)
     VALUES ($1, $2, 'tnt', 'chn', 'test', 'tnt', 'adv', 'cmp', 'cpc', 1, 'https://shop.example') RETURNING tableoid::regclass::text AS partition`,
    [uuidv7(ms), randomUUID()],
  );

test("concurrent callers create each day from yesterday to 14 days ahead exactly once", async () => {
  const made = await Promise.all([1, 2, 3].map(() => ensurePartitions(database.sql, NOW)));
  const names = made.flat();
  expect(names).toHaveLength(32);
  expect(new Set(names).size).toBe(32);
  expect(names).toContain("offers_20310228");
  expect(names).toContain("offers_20310315");
  expect(names).toContain("cap_events_20310315");
  expect(await ensurePartitions(database.sql, NOW)).toEqual([]);
});

test("an offer is stored in the partition of its UTC day, to the millisecond", async () => {
  await ensurePartitions(database.sql, NOW);
  const last = await insertOffer(NOW.getTime() - 1);
  const first = await insertOffer(NOW.getTime());
  expect(last.rows[0]).toEqual({ partition: "offers_20310228" });
  expect(first.rows[0]).toEqual({ partition: "offers_20310301" });
});

test("creating future days does not wait for a running insert", async () => {
  const client = await database.sql.connect();
  try {
    await client.query("BEGIN");
    await client.query("LOCK TABLE offers IN ROW EXCLUSIVE MODE");
    const made = await ensurePartitions(database.sql, new Date(NOW.getTime() + DAY_MS));
    expect(made).toEqual(["offers_20310316", "cap_events_20310316"]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("events of caps are kept for 180 whole days, as long as the longest cap", async () => {
  await ensurePartitions(database.sql, NOW);
  const dropped = await dropOldPartitions(database.sql, new Date(NOW.getTime() + 180 * DAY_MS));
  expect(dropped.filter((name) => name.startsWith("cap_events"))).toContain("cap_events_20310228");
  expect(dropped).not.toContain("cap_events_20310301");
});

test("days of offers are kept for 92 whole days and then dropped", async () => {
  await ensurePartitions(database.sql, NOW);
  const later = new Date(NOW.getTime() + 92 * DAY_MS);
  const dropped = await dropOldPartitions(database.sql, later);
  expect(dropped).toContain("offers_20310228");
  expect(dropped).not.toContain("offers_20310301");
  await expect(insertOffer(NOW.getTime() - 1)).rejects.toThrow(/no partition/);
  expect(await dropOldPartitions(database.sql, later)).toEqual([]);
});
