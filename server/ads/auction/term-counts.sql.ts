import type { ClickHouseClient } from "@clickhouse/client";
import type { Span } from "../../kernel/rolling-window";
import { OFFERS_MAX } from "../serving/offer-request";
import type { TermCounts } from "./term-affinity";

/** Rows per span, each for the sums over all channels and for those of single channels: the most seen ones. */
const ROWS_MAX = 5_000;
/** Of more viewed offers in a span, an evenly spread part is read, chosen by offer id. */
const VIEWED_MAX = 300_000;

export interface TermCountsQuery {
  span: Span;
  /** How long it takes until an event has half its weight; events at the start of the span have the weight 1. */
  halfLifeMs: number;
}

/**
 * Counts offers that were served in a span for words of a query, and their clicks, by position. Only counted events are
 * included, without offers of which an operator reversed a charge. A clicked offer was seen, even if its impression was
 * not reported. Later events weigh more: an event's weight doubles with each half-life since the start of the span.
 */
export async function termCountsIn(clickhouse: ClickHouseClient, query: TermCountsQuery): Promise<TermCounts[]> {
  const { fromMs, toMs } = query.span;
  const isOpen = !Number.isFinite(toMs);
  const result = await clickhouse.query({
    query: queryFor(isOpen),
    query_params: { from: fromMs, viewed: VIEWED_MAX, half_life: query.halfLifeMs, ...(!isOpen && { to: toMs }) },
    format: "JSONCompactEachRow",
  });
  const counts: TermCounts[] = [];
  // Row by row: parsing all of them at once would delay offers.
  for await (const rows of result.stream<Row>()) {
    for (const row of rows) counts.push(countsOf(row.json<Row>()));
  }
  return counts;
}

const countsOf = ([channelId, isLive, baseId, itemId, term, impressions, clicks]: Row): TermCounts => ({
  channelId,
  isLive: isLive === 1,
  baseId,
  itemId,
  term,
  impressions,
  clicks,
});

type Row = [
  channelId: string,
  isLive: number,
  baseId: string,
  itemId: string,
  term: string,
  impressions: number[],
  clicks: number[],
];

/**
 * The most seen pairs are found by hashes first: grouping all of them by their names takes several times as long. A pair
 * of two empty texts is the sum of its base, which is seen at least as often as its other pairs and taken first.
 */
function queryFor(isOpen: boolean): string {
  const time = (column: string) =>
    `${column} >= fromUnixTimestamp64Milli({from:Int64})${isOpen ? "" : ` AND ${column} < fromUnixTimestamp64Milli({to:Int64})`}`;
  const counted = `traffic = '' AND at >= fromUnixTimestamp64Milli({from:Int64}) AND ${time("served_at")} AND ${SAMPLED}`;
  return `
    WITH
      (
        SELECT toUInt32(greatest(1, ceil((sum(impressions) + sum(clicks)) / {viewed:UInt32}))) FROM report_slots
        WHERE ${time("toStartOfHour(slot)")} AND campaign_id NOT IN ('', 'house', 'network')
      ) AS every,
      viewed AS (
        SELECT offer_id, max(is_click) AS is_clicked
        FROM (
          SELECT offer_id, 0 AS is_click FROM impressions WHERE ${counted}
          UNION ALL
          SELECT offer_id, 1 AS is_click FROM clicks WHERE ${counted}
        )
        WHERE offer_id NOT IN (SELECT offer_id FROM reversals WHERE at >= fromUnixTimestamp64Milli({from:Int64}))
        GROUP BY offer_id
      ),
      pairs AS (
        SELECT
          toString(channel_id) AS channel,
          mode = 'live' AS is_live,
          if(creative_id = '', toString(campaign_id), creative_id) AS base,
          if(creative_id = '', product_id, creative_id) AS own,
          arrayJoin(arrayConcat([('', '')], arrayMap(term -> (own, toString(term)), arrayDistinct(terms)))) AS pair,
          cityHash64(base, pair) AS hash,
          exp2((toUnixTimestamp64Milli(at) - {from:Int64}) / {half_life:Float64}) AS weight,
          position,
          is_clicked
        FROM offers INNER JOIN viewed USING (offer_id)
        WHERE ${time("at")} AND notEmpty(terms) AND model = 'cpc' AND ${SAMPLED}
      )
    SELECT channel, is_live, base, pair.1 AS item, pair.2 AS term, ${byPosition("weight")}, ${byPosition("weight * is_clicked")}
    FROM pairs
    WHERE hash IN (SELECT hash FROM pairs GROUP BY hash ORDER BY count() DESC, max(pair.1 != '') LIMIT ${ROWS_MAX})
    GROUP BY GROUPING SETS ((is_live, base, pair), (channel, is_live, base, pair))
    ORDER BY count() DESC, item != ''
    LIMIT ${ROWS_MAX} BY channel = ''`;
}

const SAMPLED = "cityHash64(offer_id) % every = 0";

const byPosition = (weight: string): string =>
  `arrayMap(sum -> round(sum, 2), sumForEach(arrayMap(at -> if(at = position, ${weight}, 0), range(${OFFERS_MAX}))))`;
