import type { ClickHouseClient } from "@clickhouse/client";

export const DAYS = 365;
/** 10 million events in about the ratio of native advertising: 1.6 offers a request, 44 % of them seen, 3 % of those clicked. */
export const EVENTS = {
  requests: 3_000_000,
  offers: 4_800_000,
  impressions: 2_130_000,
  clicks: 66_000,
  conversions: 4_000,
};
/** The first tenant publishes half of the requests and is the buyer of a fifth of what others sell. */
export const TENANTS = 20;
export const LARGE = { channels: 12, campaigns: 120 };
export const SMALL = { channels: 2, campaigns: 20 };
export const CREATIVES_PER_CAMPAIGN = 3;

const ROWS_PER_INSERT = 250_000;
const DAY_SECONDS = 86_400;
/** Requests peak at 14:00 UTC. */
const PEAK_SECONDS = 14 * 3600;
const GEOS = "US DE GB FR IN BR CA JP AU ES IT NL PL SE MX KR CH AT BE DK".split(" ");
const MERGED_WITHIN_MS = 120_000;

type Table = keyof typeof EVENTS;

/** Ids as svc makes them, 26 characters behind the prefix; `number` is SQL or a number. */
const NUMBER_DIGITS = 21;
export const benchId = (prefix: string, number: number): string =>
  `${prefix}_bench${String(number).padStart(NUMBER_DIGITS, "0")}`;
const idSql = (prefix: string, number: string): string =>
  `concat('${prefix}_bench', leftPad(toString(${number}), ${NUMBER_DIGITS}, '0'))`;

export const channelId = (tenant: number, channel: number): string => benchId("chn", tenant * 100 + channel);
export const campaignId = (tenant: number, campaign: number): string => benchId("cmp", tenant * 1000 + campaign);
export const creativeId = (tenant: number, campaign: number, creative: number): string =>
  benchId("crv", (tenant * 1000 + campaign) * 10 + creative);
export const isCpc = (campaign: number): boolean => campaign % 2 === 0;

interface Year {
  /** The id of the first tenant; the others are made up. */
  largeTenantId: string;
  now: Date;
}

/**
 * A year of events that ends now, made inside ClickHouse and inserted into the tables that svc ships its events to, so
 * that the rollup fills through its views as it does in production. Resolves when the parts are merged.
 */
export async function fillYear(clickhouse: ClickHouseClient, year: Year): Promise<void> {
  for (const table of Object.keys(EVENTS) as Table[]) {
    for (let from = 0; from < EVENTS[table]; from += ROWS_PER_INSERT) {
      const count = Math.min(ROWS_PER_INSERT, EVENTS[table] - from);
      const { columns, query } = INSERTS[table](year, `numbers(${from}, ${count})`);
      await clickhouse.command({ query: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (${query})` });
    }
  }
  await merged(clickhouse);
}

async function merged(clickhouse: ClickHouseClient): Promise<void> {
  let quiet = 0;
  for (const end = Date.now() + MERGED_WITHIN_MS; quiet < 4 && Date.now() < end; ) {
    const answer = await clickhouse.query({ query: "SELECT count() AS n FROM system.merges", format: "JSONEachRow" });
    const [row] = await answer.json<{ n: string }>();
    quiet = row?.n === "0" ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const hash = (number: string, salt: number): string => `cityHash64(${number}, ${salt})`;
const others = (number: string): string => `1 + (${number}) % ${TENANTS - 1}`;
const time = (ms: string): string => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;

/** Everything about request `r`; later lines use the names of earlier ones. */
function requestFacts({ largeTenantId, now }: Year, r: string): string {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const shift = (((PEAK_SECONDS - DAY_SECONDS / 2 - nowSeconds) % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  const geos = GEOS.map((geo) => `'${geo}'`).join(", ");
  return `
    ${r} AS r,
    ${hash("r", 1)} % 1000 AS who,
    if(who < 500, 0, ${others("who")}) AS publisher,
    ${tenantSql("publisher", largeTenantId)} AS tenant_id,
    ${idSql("chn", `publisher * 100 + ${hash("r", 2)} % if(publisher = 0, ${LARGE.channels}, ${SMALL.channels})`)} AS channel_id,
    if(${hash("r", 3)} % 100 < 3, 'test', 'live') AS mode,
    ['sponsored_result', 'sidebar', 'in_article'][1 + ${hash("r", 4)} % 3] AS placement,
    [${geos}][1 + toUInt32(${GEOS.length} * pow((${hash("r", 5)} % 1000) / 1000, 2))] AS geo,
    ['desktop', 'mobile', 'mobile', 'tablet'][1 + ${hash("r", 6)} % 4] AS device,
    'en' AS locale,
    (${hash("r", 7)} % ${DAY_SECONDS / 2} + ${hash("r", 8)} % ${DAY_SECONDS / 2} + ${shift}) % ${DAY_SECONDS} AS second,
    (${nowSeconds - DAYS * DAY_SECONDS} + intDiv(r * ${DAYS}, ${EVENTS.requests}) * ${DAY_SECONDS} + second) * 1000
      + ${hash("r", 9)} % 1000 AS asked_ms`;
}

const tenantSql = (tenant: string, largeTenantId: string): string =>
  `if(${tenant} = 0, '${largeTenantId}', ${idSql("ten", tenant)})`;

/** Everything about offer `o` and its request. */
function offerFacts(year: Year, o: string): string {
  const chosen = `if(buyer = 0, toUInt64(${LARGE.campaigns} * pow((${hash("o", 12)} % 10000) / 10000, 2)), ${hash("o", 12)} % ${SMALL.campaigns})`;
  return `
    ${o} AS o,
    ${requestFacts(year, `intDiv(o * ${EVENTS.requests}, ${EVENTS.offers})`)},
    ${hash("o", 11)} % 1000 AS deal,
    multiIf(deal < 600, publisher, deal < 800, 0, ${others("deal")}) AS buyer,
    ${tenantSql("buyer", year.largeTenantId)} AS buyer_tenant_id,
    toUInt8(buyer = ${TENANTS - 1} AND publisher != buyer) AS house,
    ${chosen} AS campaign,
    ${idSql("adv", "buyer")} AS advertiser_id,
    ${idSql("cmp", "buyer * 1000 + campaign")} AS campaign_id,
    ${idSql("crv", `(buyer * 1000 + campaign) * 10 + ${hash("o", 13)} % ${CREATIVES_PER_CAMPAIGN}`)} AS creative_id,
    '' AS product_id,
    if(campaign % 2 = 0, 'cpc', 'cpm') AS model,
    if(house = 1, 0, if(model = 'cpc', 100000000 + 10000000 * (campaign % 30), 2000000 + 100000 * (campaign % 30))) AS price_nanos,
    multiIf(${hash("o", 14)} % 100 < 3, 'bot', ${hash("o", 14)} % 100 < 6, 'duplicate', '') AS traffic,
    asked_ms + 1000 + ${hash("o", 15)} % 30000 AS seen_ms,
    asked_ms + 5000 + ${hash("o", 16)} % 115000 AS clicked_ms`;
}

/** What event number `n` of a table says about its offer; every so many offers have one. */
const offerOf = (table: Table): string => `intDiv(number * ${EVENTS.offers}, ${EVENTS[table]})`;
const charged = (model: string): string => `
  toUInt64(if(traffic = '' AND model = '${model}', price_nanos, 0)) AS charge_nanos,
  toUInt64(if(publisher = buyer, 0, intDiv(charge_nanos * 7, 10))) AS earning_nanos`;
const ID = "generateUUIDv4()";
const PLACE = "tenant_id, channel_id, mode, placement, geo, device";
const BOUGHT = "buyer_tenant_id, advertiser_id, campaign_id, creative_id, product_id";

const INSERTS: Record<Table, (year: Year, numbers: string) => { columns: string; query: string }> = {
  requests: (year, numbers) => ({
    columns: `at, request_id, ${PLACE}, locale, served, reason`,
    query: `SELECT ${requestFacts(year, "number")}, ${time("asked_ms")} AS at, ${ID} AS request_id, 1 AS served, '' AS reason
      FROM ${numbers}`,
  }),
  offers: (year, numbers) => ({
    columns: `at, offer_id, request_id, ${PLACE}, locale, ${BOUGHT}, house, model, price_nanos`,
    query: `SELECT ${offerFacts(year, "number")}, ${time("asked_ms")} AS at, ${ID} AS offer_id, offer_id AS request_id
      FROM ${numbers}`,
  }),
  impressions: (year, numbers) => ({
    columns: `at, offer_id, served_at, ${PLACE}, locale, ${BOUGHT}, house, traffic, reported_by, charge_nanos, earning_nanos`,
    query: `SELECT ${offerFacts(year, offerOf("impressions"))}, ${time("seen_ms")} AS at, ${time("asked_ms")} AS served_at,
      ${ID} AS offer_id, 'browser' AS reported_by, ${charged("cpm")} FROM ${numbers}`,
  }),
  clicks: (year, numbers) => ({
    columns: `at, offer_id, click_id, served_at, ${PLACE}, locale, ${BOUGHT}, house, traffic, charge_nanos, earning_nanos`,
    query: `SELECT ${offerFacts(year, offerOf("clicks"))}, ${time("clicked_ms")} AS at, ${time("asked_ms")} AS served_at,
      ${ID} AS offer_id, toString(offer_id) AS click_id, ${charged("cpc")} FROM ${numbers}`,
  }),
  conversions: (year, numbers) => ({
    columns: `at, conversion_id, order_id, click_id, offer_id, clicked_at, ${PLACE}, ${BOUGHT}, value_micros, currency`,
    query: `SELECT ${offerFacts(year, offerOf("conversions"))}, ${time("clicked_ms + r % 1000000")} AS at,
      ${time("clicked_ms")} AS clicked_at, ${ID} AS offer_id, ${idSql("cnv", "number")} AS conversion_id,
      concat('order-', toString(number)) AS order_id, toString(offer_id) AS click_id,
      toUInt64(10000000 + ${hash("o", 17)} % 90000000) AS value_micros, 'USD' AS currency FROM ${numbers}`,
  }),
};
