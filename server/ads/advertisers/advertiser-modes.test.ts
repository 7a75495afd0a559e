import type { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrationSteps } from "../../../test/factories/migration-steps";

const MIGRATION = "20261122110000_network";

let steps: Awaited<ReturnType<typeof migrationSteps>>;
let client: Client;
beforeAll(async () => {
  steps = await migrationSteps();
  client = await steps.connect();
});
afterAll(() => steps.close());

it("gives advertisers the mode of their campaigns and copies those with both modes for test", async () => {
  await steps.deploy((name) => name < MIGRATION);
  const advertiser = (id: string) => `('adv_0000000000${id}', 'ten_1', '${id}', 'shop.example', now(), now())`;
  const campaign = (id: string, of: string, mode: string) =>
    `('cmp_${id}', 'ten_1', 'adv_0000000000${of}', '${mode}', 'C', 'cpc', 1, now(), now())`;
  await client.query(`
    INSERT INTO tenants (id, name, created_at) VALUES ('ten_1', 'T', now());
    INSERT INTO advertisers (id, tenant_id, name, domain, created_at, updated_at)
      VALUES ${["both", "live", "test", "none"].map(advertiser).join(", ")};
    INSERT INTO campaigns (id, tenant_id, advertiser_id, mode, name, model, bid_micros, created_at, updated_at)
      VALUES ${[campaign("1", "both", "live"), campaign("2", "both", "test"), campaign("3", "live", "live"), campaign("4", "test", "test")].join(", ")};
    INSERT INTO channels (id, tenant_id, mode, name, blocked_advertisers, created_at, updated_at)
      VALUES ('chn_1', 'ten_1', 'test', 'C', ARRAY['adv_0000000000both'], now(), now()),
        ('chn_2', 'ten_1', 'live', 'C', ARRAY['adv_0000000000both'], now(), now());`);
  await steps.deploy((name) => name <= MIGRATION);
  const { rows: advertisers } = await client.query<{
    id: string;
    name: string;
    mode: string;
    copied_from: string | null;
  }>("SELECT id, name, mode, copied_from FROM advertisers ORDER BY name, mode DESC, id");
  const copy = advertisers.find(({ copied_from }) => copied_from !== null);
  expect(advertisers.map(({ name, mode }) => [name, mode])).toEqual(
    expect.arrayContaining([
      ["both", "live"],
      ["both", "test"],
      ["live", "live"],
      ["none", "live"],
      ["test", "test"],
    ]),
  );
  expect(advertisers).toHaveLength(5);
  expect(copy).toMatchObject({ name: "both", mode: "test", copied_from: "adv_0000000000both" });
  expect(copy?.id).toMatch(/^adv_[0-9a-z]{26}$/);
  const { rows: apart } = await client.query(
    "SELECT c.id FROM campaigns c JOIN advertisers a ON a.id = c.advertiser_id WHERE a.mode <> c.mode",
  );
  expect(apart).toEqual([]);
  const { rows: moved } = await client.query("SELECT id FROM campaigns WHERE advertiser_id = $1", [copy?.id]);
  expect(moved).toEqual([{ id: "cmp_2" }]);
  const { rows: channels } = await client.query("SELECT blocked_advertisers AS blocked FROM channels ORDER BY id");
  expect(channels).toEqual([{ blocked: ["adv_0000000000both", copy?.id] }, { blocked: ["adv_0000000000both"] }]);
});
