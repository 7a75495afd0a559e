import { expect, it } from "vitest";
import { getPixel } from "../../server/ads/conversions/get-pixel";
import { call } from "../factories/ads";
import { makeShop, testApp } from "../factories/app";
import { caughtUp, click, manage, oneOffer, platformKey, raiseRate, reportIds, send } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";

const test = await openForFile(testApp());
const shop = await makeShop(test);
const key = await platformKey(shop.ctx);
await raiseRate(test, shop.tenantId);
const token = (await call(shop.ctx, getPixel, { id: shop.campaign.advertiser_id, mode: "live" })).token;

let orders = 0;
const campaignPath = () => `/v1/ads/campaigns/${shop.campaign.id}`;

/** The statuses of what publishers, visitors and advertisers send. */
async function traffic(): Promise<number[]> {
  const [order_id, user_id] = [`order-${++orders}`, `user-${orders}`];
  const signals = [{ category: "Shoes", confidence: 0.9, subject: "boots" }];
  const offer = await oneOffer(test, shop.serverKey, { user_id });
  const clicked = await click(test, offer.id);
  const click_id = new URL(clicked.headers.get("location") ?? "").searchParams.get("svc_click_id") ?? "";
  const pixel = new URLSearchParams({ token, order_id: `${order_id}-page`, click_id });
  const responses = [
    clicked,
    await reportIds(test, [offer.id]),
    await send(test, "/api/v1/signals", { key: shop.serverKey, body: { user_id, signals } }),
    await send(test, `/api/v1/conversions/pixel.gif?${pixel}`),
    await send(test, "/api/v1/conversions", {
      body: { order_id, click_id },
      headers: { authorization: `Bearer ${key}` },
    }),
    await manage(test, `/v1/ads/conversions?campaign_id=${shop.campaign.id}`, { key }),
    await manage(test, campaignPath(), { key, method: "PATCH", body: { name: order_id } }),
    await manage(test, `/v1/ads/users/${user_id}`, { key, method: "DELETE" }),
  ];
  return responses.map(({ status }) => status);
}

/** Postgres may end either side of a deadlock. A migration that it ended has changed nothing, and is repeated. */
async function migrated(text: string): Promise<void> {
  for (;;) {
    const failure = await test.engines.sql.query(text).then(
      () => undefined,
      (cause: { code?: string }) => cause,
    );
    if (!failure) return;
    if (failure.code !== "40P01") throw failure;
  }
}

/** One at a time: a campaign takes one feed at once. */
async function feed(): Promise<number[]> {
  const raw = JSON.stringify({ id: `${orders}`, title: "Boots", link: "https://shop.example/boots", price: "10 USD" });
  const headers = { "content-type": "application/x-ndjson" };
  return [(await manage(test, `${campaignPath()}/products`, { key, method: "POST", raw, headers })).status];
}

it("a migration that adds a column to every table fails no statement of a process that does not know it", async () => {
  const several = async () => [...(await Promise.all(Array.from({ length: 6 }, traffic))), await feed()];
  const before = await several();
  expect(before.flat().filter((status) => status >= 400)).toEqual([]);
  await migrated(`
    DO $$ DECLARE t text; BEGIN
      FOR t IN SELECT c.oid::regclass::text FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        ORDER BY 1
      LOOP EXECUTE format('ALTER TABLE %s ADD COLUMN added_later text NOT NULL DEFAULT ''later''', t); END LOOP;
    END $$`);
  for (let round = 0; round < 3; round++) expect(await several()).toEqual(before);
  await caughtUp(test);
  const { rows } = await test.engines.sql.query("SELECT DISTINCT added_later FROM conversions");
  expect(rows).toEqual([{ added_later: "later" }]);
});
