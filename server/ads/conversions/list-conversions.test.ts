import { expect, it } from "vitest";
import { adsTest } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { rowsRead } from "../../../test/factories/rows-read";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { listConversions } from "./list-conversions";

const CONVERSIONS = 20_000;

const ads = await openForFile(adsTest());
const tenant = await ads.tenant();
/** One connection for everything that reads much: another one would report its statistics later, in the middle of a count. */
const alone = await openForFile(connectPostgres(ads.url, { poolMax: 1 }));
// The first rows are the ones to find: a scan from the newest row would reach them last.
await alone.sql.query(
  `INSERT INTO conversions (id, tenant_id, mode, order_id, attribution, campaign_id, value_micros, occurred_at, created_at)
     SELECT 'cnv_' || lpad(n::text, 8, '0'), $1, 'live', n, 'click', CASE WHEN n <= 5 THEN 'cmp_rare' ELSE 'cmp_' || n % 10 END,
       1, now(), now() FROM generate_series(1, $2::int) n`,
  [tenant.id, CONVERSIONS],
);
await alone.sql.query("ANALYZE conversions");

it("finds the oldest conversions by campaign without reading the others, however often the query runs", async () => {
  const ctx = { ...tenant.key("live"), sql: alone.sql };
  const list = () => listConversions.run(ctx, listConversions.input.parse({ campaign_id: "cmp_rare", limit: 20 }));
  // From the sixth execution on, Postgres may use a generic plan for a prepared statement.
  for (let times = 0; times < 8; times++) await list();
  const read = await rowsRead(alone.sql, async () => expect((await list()).data).toHaveLength(5));
  expect(read.indexes).toContain("conversions_campaign_id_id_idx");
  expect(read.scanned).not.toContain("conversions");
  expect(read.rows).toBeLessThan(100);
});

it("combines filters with pagination", async () => {
  const page = (input: Record<string, unknown>) =>
    listConversions.run(tenant.key("live"), listConversions.input.parse({ campaign_id: "cmp_1", ...input }));
  const first = await page({ attribution: "click", limit: 2 });
  const second = await page({ attribution: "click", limit: 2, cursor: first.next_cursor });
  const ids = [...first.data, ...second.data].map(({ id }) => id);
  expect(ids).toEqual(["cnv_00019991", "cnv_00019981", "cnv_00019971", "cnv_00019961"]);
  expect((await page({ attribution: "view" })).data).toEqual([]);
});
