import { expect, it } from "vitest";
import { adsTest, makeAdvertiser, makeCampaign } from "../../../test/factories/ads";
import { offerRecord } from "../../../test/factories/offer-record";
import { openForFile } from "../../../test/factories/open-for-file";
import { connectPostgres, type PostgresConnection } from "../../engines/postgres/connect-postgres";
import { uuidv7 } from "../../kernel/ids";
import { insertOffers } from "../offer-records/offers.sql";
import { attributeWaiting } from "./attribute-waiting";
import { type Order, recordConversion } from "./record-conversion";
import { recordPixel } from "./record-pixel";

const NOW = new Date();
const MINUTE_MS = 60_000;
const ROUNDS = 12;

const ads = await openForFile(adsTest());
const ctx = (await ads.tenant()).key("live");
const elsewhere = await openForFile(connectPostgres(ads.url, { poolMax: 8 }));
const advertiserId = (await makeAdvertiser(ctx)).id;
const campaigns = [1, 2].map(() => makeCampaign(ctx, { advertiser_id: advertiserId }));
/** Of two campaigns of the same advertiser. */
const campaignIds = (await Promise.all(campaigns)).map(({ id }) => id);

let clicks = 0;

/** The id of a click of a campaign; if it is not `known`, it can be stored later. */
async function clickOf(campaignId: string, { known = true } = {}) {
  const clickId = (++clicks).toString(16).padStart(32, "0");
  const id = uuidv7(NOW.getTime() - MINUTE_MS);
  const buyerTenantId = ctx.actor.tenantId;
  const offer = offerRecord(NOW.getTime(), { id, tenantId: "ten_publisher", buyerTenantId, advertiserId, campaignId });
  await insertOffers(ads.sql, [offer]);
  const arrive = () =>
    ads.sql.query("UPDATE offers SET click_id = $2, clicked_at = $3 WHERE id = $1", [
      id,
      clickId,
      new Date(NOW.getTime() - MINUTE_MS),
    ]);
  if (known) await arrive();
  return { clickId, arrive };
}

const orderOf = (orderId: string, fields: Partial<Order>): Order => ({
  source: "server",
  tenantId: ctx.actor.tenantId,
  mode: "live",
  orderId,
  advertiserId: "",
  clickId: "",
  userKey: "",
  valueMicros: 5,
  occurredAt: NOW,
  currency: "USD",
  now: NOW,
  ...fields,
});

/** Conversions of an order, and how often reports count it. */
async function countsOf(orderId: string) {
  const { rows } = await ads.sql.query<{ conversions: number; counted: number }>(
    `SELECT (SELECT count(*)::int FROM conversions WHERE order_id = $1) AS conversions,
       (SELECT coalesce(sum((row->>'sign')::int), 0)::int FROM outbox WHERE "table" = 'conversions' AND row->>'order_id' = $1) AS counted`,
    [orderId],
  );
  return rows[0];
}

it("counts an order once that has clicks of two campaigns, by pixel and by server, with and without its advertiser", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const orderId = `both-${round}`;
    const clickIds = await Promise.all(campaignIds.map(async (id) => (await clickOf(id)).clickId));
    const reports = clickIds.flatMap((clickId) => [
      (sql: PostgresConnection["sql"]) => recordConversion(sql, orderOf(orderId, { clickId })),
      (sql: PostgresConnection["sql"]) => recordConversion(sql, orderOf(orderId, { clickId, advertiserId })),
      (sql: PostgresConnection["sql"]) => recordConversion(sql, orderOf(orderId, { advertiserId })),
      (sql: PostgresConnection["sql"]) => recordConversion(sql, orderOf(orderId, {})),
      (sql: PostgresConnection["sql"]) =>
        recordPixel(sql, orderOf(orderId, { source: "pixel", clickId, advertiserId })),
    ]);
    await Promise.all(reports.flatMap((report) => [report(ads.sql), report(elsewhere.sql)]));
    const counts = await countsOf(orderId);
    expect(counts?.conversions, orderId).toBe(1);
    expect(counts?.counted, orderId).toBeLessThanOrEqual(1);
  }
});

it("counts an order with a late click once, while it is reported again with its advertiser and by pixel", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const orderId = `late-${round}`;
    const [late, other] = await Promise.all([
      clickOf(campaignIds[0] ?? "", { known: false }),
      clickOf(campaignIds[1] ?? ""),
    ]);
    await recordConversion(ads.sql, orderOf(orderId, { clickId: late.clickId }));
    await late.arrive();
    const look = { now: new Date(NOW.getTime() + MINUTE_MS), currency: "USD" };
    await Promise.all([
      attributeWaiting(ads.sql, look),
      attributeWaiting(elsewhere.sql, look),
      ...[ads.sql, elsewhere.sql].flatMap((sql) => [
        recordConversion(sql, orderOf(orderId, { clickId: other.clickId })),
        recordConversion(sql, orderOf(orderId, { clickId: late.clickId, advertiserId })),
        recordPixel(sql, orderOf(orderId, { source: "pixel", clickId: other.clickId, advertiserId })),
      ]),
    ]);
    expect(await countsOf(orderId)).toEqual({ conversions: 1, counted: 1 });
  }
});
