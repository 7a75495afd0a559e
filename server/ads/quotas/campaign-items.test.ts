import { expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";

const database = await openForFile(testDatabase());

const addProducts = (campaign: string, from: number, to: number) =>
  database.sql.query(
    `INSERT INTO products (id, campaign_id, external_id, title, link, created_at, updated_at)
     SELECT $1 || n, $1, n, 'Boot', 'https://shop.example', now(), now() FROM generate_series($2::int, $3::int) n
     ON CONFLICT (campaign_id, external_id) DO UPDATE SET archived_at = NULL`,
    [campaign, from, to],
  );

const addCreative = (campaign: string) =>
  database.sql.query(
    `INSERT INTO creatives (id, campaign_id, title, content, cta, landing_url, created_at, updated_at)
     VALUES ('crv_' || $1, $1, 'Boot', '', 'Open', 'https://shop.example', now(), now())`,
    [campaign],
  );

it("counts products and creatives that are not archived, whichever statement writes them", async () => {
  await database.sql.query(`
    INSERT INTO tenants (id, name, created_at) VALUES ('ten_1', 'T', now());
    INSERT INTO advertisers (id, tenant_id, name, created_at, updated_at) VALUES ('adv_1', 'ten_1', 'A', now(), now());
    INSERT INTO campaigns (id, tenant_id, advertiser_id, mode, name, model, bid_micros, created_at, updated_at)
    SELECT id, 'ten_1', 'adv_1', 'live', id, 'cpc', 1, now(), now() FROM unnest(ARRAY['cmp_1', 'cmp_2', 'cmp_3']) id`);
  await addProducts("cmp_1", 1, 5);
  await database.sql.query("UPDATE products SET archived_at = now() WHERE external_id = '5'");
  await addCreative("cmp_2");
  const counts = async () => {
    const { rows } = await database.sql.query(
      "SELECT campaign_id, products::int, creatives::int FROM campaign_items ORDER BY 1",
    );
    return rows.map(({ campaign_id, products, creatives }) => [campaign_id, products, creatives]);
  };
  expect(await counts()).toEqual([
    ["cmp_1", 4, 0],
    ["cmp_2", 0, 1],
  ]);
  // Updates one, restores one and adds two.
  await addProducts("cmp_1", 4, 7);
  await addProducts("cmp_3", 1, 3);
  await addCreative("cmp_3");
  await database.sql.query("UPDATE products SET title = 'Shoe'");
  await database.sql.query("UPDATE products SET archived_at = now() WHERE external_id = '1'");
  await database.sql.query("DELETE FROM products WHERE external_id = '2'");
  await database.sql.query("DELETE FROM creatives WHERE campaign_id = 'cmp_2'");
  expect(await counts()).toEqual([
    ["cmp_1", 5, 0],
    ["cmp_2", 0, 0],
    ["cmp_3", 1, 1],
  ]);
  await database.sql.query("DELETE FROM campaigns WHERE id = 'cmp_3'");
  expect(await counts()).toHaveLength(2);
});
