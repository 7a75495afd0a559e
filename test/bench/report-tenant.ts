import type { Engines } from "../../server/engines/start-engines";
import { benchId, CREATIVES_PER_CAMPAIGN, campaignId, channelId, creativeId, isCpc, LARGE } from "./report-year";
import { titleOf } from "./titles";

type Parts = Pick<Engines, "db" | "sql" | "clickhouse">;

/** Puts what the year's events name into Postgres: channels with keys, campaigns with creatives, the ledger's days and orders. */
export async function fillTenant(engines: Parts, tenantId: string): Promise<void> {
  await putChannels(engines, tenantId);
  await putCampaigns(engines, tenantId);
  await putSpend(engines, tenantId);
  await putOrders(engines, tenantId);
}

async function putChannels({ db }: Parts, tenantId: string): Promise<void> {
  const shared = { tenantId, mode: "live" as const, createdAt: new Date(), updatedAt: new Date() };
  const lists = { origins: ["https://publisher.example"], categories: [], blockedCategories: [] };
  const numbers = Array.from({ length: LARGE.channels }, (_, i) => i);
  await db.channel.createMany({
    data: numbers.map((i) => ({
      ...shared,
      ...lists,
      id: channelId(0, i),
      name: `Site ${i + 1}`,
      blockedAdvertisers: [],
    })),
  });
  await db.channelKey.createMany({
    data: numbers.map((i) => ({
      id: benchId("chk", i),
      channelId: channelId(0, i),
      kind: "browser" as const,
      hash: `bench ${i}`,
      lastFour: "0000",
      createdAt: shared.createdAt,
      lastUsedAt: shared.createdAt,
    })),
  });
}

async function putCampaigns({ db }: Parts, tenantId: string): Promise<void> {
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const advertiserId = benchId("adv", 0);
  await db.advertiser.create({ data: { id: advertiserId, tenantId, name: "Bench", ...times } });
  const numbers = Array.from({ length: LARGE.campaigns }, (_, i) => i);
  await db.campaign.createMany({
    data: numbers.map((i) => ({
      id: campaignId(0, i),
      tenantId,
      advertiserId,
      mode: "live" as const,
      name: titleOf(i),
      ...times,
      model: isCpc(i) ? ("cpc" as const) : ("cpm" as const),
      bidMicros: 400_000n,
      dailyBudgetMicros: 50_000_000n,
    })),
  });
  await db.creative.createMany({
    data: numbers.flatMap((campaign) =>
      Array.from({ length: CREATIVES_PER_CAMPAIGN }, (_, creative) => ({
        id: creativeId(0, campaign, creative),
        campaignId: campaignId(0, campaign),
        ...times,
        title: titleOf(campaign * 3 + creative),
        content: "An offer of the bench",
        cta: "View offer",
        landingUrl: `https://shop.example/${campaign}/${creative}`,
      })),
    ),
  });
}

/** The ledger's sums by day, from the events' own charges. */
async function putSpend({ sql, clickhouse }: Parts, tenantId: string): Promise<void> {
  const charges = ["clicks", "impressions"].map(
    (table) => `SELECT campaign_id, toString(toDate(at)) AS day, charge_nanos FROM ${table}
      WHERE buyer_tenant_id = {tenant:String} AND mode = 'live' AND charge_nanos > 0`,
  );
  const answer = await clickhouse.query({
    query: `SELECT toString(campaign_id), day, toString(sum(charge_nanos)) FROM (${charges.join(" UNION ALL ")}) GROUP BY ALL`,
    query_params: { tenant: tenantId },
    format: "JSONCompactEachRow",
  });
  const rows = await answer.json<[string, string, string]>();
  const column = (at: 0 | 1 | 2) => rows.map((row) => row[at]);
  await sql.query(
    `INSERT INTO campaign_spend (campaign_id, day, nanos)
     SELECT * FROM unnest($1::text[], $2::date[], $3::bigint[])`,
    [column(0), column(1), column(2)],
  );
}

interface Order {
  conversion_id: string;
  order_id: string;
  campaign_id: string;
  publisher: string;
  channel_id: string;
  value: string;
  at: string;
}

async function putOrders({ sql, clickhouse }: Parts, tenantId: string): Promise<void> {
  const answer = await clickhouse.query({
    query: `SELECT conversion_id, order_id, campaign_id, tenant_id AS publisher, channel_id,
        toString(value_micros) AS value, formatDateTime(at, '%Y-%m-%dT%H:%i:%SZ') AS at
      FROM conversions WHERE buyer_tenant_id = {tenant:String} AND mode = 'live'`,
    query_params: { tenant: tenantId },
    format: "JSONEachRow",
  });
  await sql.query(
    `INSERT INTO conversions (id, tenant_id, mode, advertiser_id, order_id, attribution, campaign_id,
       publisher_tenant_id, channel_id, touched_at, value_micros, occurred_at, created_at)
     SELECT o.conversion_id, $2, 'live', $3, o.order_id, 'click', o.campaign_id, o.publisher, o.channel_id, o.at,
       o.value, o.at, o.at
     FROM json_to_recordset($1::json) AS o(conversion_id text, order_id text, campaign_id text, publisher text,
       channel_id text, value bigint, at timestamptz)`,
    [JSON.stringify(await answer.json<Order>()), tenantId, benchId("adv", 0)],
  );
}
