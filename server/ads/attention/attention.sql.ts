import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { PriceModel } from "../../kernel/money";
import type { Mode } from "../../operation/actor";
import { spentEver, spentOn } from "../budgets/spent";

interface GateQuery {
  tenantId: string;
  mode: "test" | "live";
  now: Date;
}

const CAMPAIGNS_MAX = 1000;
const CHANNELS_MAX = 1000;

export interface CampaignState {
  id: string;
  name: string;
  isPastEnd: boolean;
  hasItems: boolean;
  /** The remaining budget does not cover one more event at the bid. */
  isDaySpent: boolean;
  isTotalSpent: boolean;
  reach: "tenant" | "network";
  mode: Mode;
  model: PriceModel;
  bidMicros: bigint;
  /** Approved by the operator and with a verified domain. */
  isReviewed: boolean;
}

/**
 * A thousandth of a CPM bid in nanos equals the bid in micros. $3 is the current time, from which each campaign's local
 * day is derived.
 */
const CAMPAIGN_STATES = `
  SELECT c.id, c.name, coalesce(c.ends_at <= $3, false) AS "isPastEnd",
    EXISTS (SELECT 1 FROM creatives x WHERE x.campaign_id = c.id AND x.archived_at IS NULL)
      OR EXISTS (SELECT 1 FROM products p WHERE p.campaign_id = c.id AND p.archived_at IS NULL) AS "hasItems",
    coalesce(c.daily_budget_micros::numeric * 1000 - s.today < e.nanos, false) AS "isDaySpent",
    coalesce(c.total_budget_micros::numeric * 1000 - s.total < e.nanos, false) AS "isTotalSpent",
    c.reach, c.mode, c.model, c.bid_micros AS "bidMicros",
    a.review = 'approved' AND a.domain_verified_at IS NOT NULL AS "isReviewed"
  FROM campaigns c
  JOIN advertisers a ON a.id = c.advertiser_id
  CROSS JOIN LATERAL (SELECT c.bid_micros::numeric * CASE c.model WHEN 'cpm' THEN 1 ELSE 1000 END AS nanos) e
  CROSS JOIN LATERAL (
    SELECT ${spentOn("c.id", "($3::timestamptz AT TIME ZONE c.timezone)::date")} AS today, ${spentEver("c.id")} AS total
  ) s
  WHERE c.tenant_id = $1 AND c.mode = $2::"Mode" AND c.archived_at IS NULL AND c.status = 'active'
  ORDER BY c.id DESC LIMIT ${CAMPAIGNS_MAX}`;

/** The tenant's active campaigns, newest first. */
export async function campaignStates(
  sql: Pick<Pool, "query">,
  { tenantId, mode, now }: GateQuery,
): Promise<CampaignState[]> {
  const values = [tenantId, mode, now];
  return (await sql.query<CampaignState>({ name: "campaign_states", text: CAMPAIGN_STATES, values })).rows;
}

export interface KeyedChannel {
  id: string;
  name: string;
  /** Creation time of the oldest active key. */
  keyedAt: Date;
}

const KEYED_CHANNELS = `
  SELECT c.id, c.name, min(k.created_at) AS "keyedAt"
  FROM channels c JOIN channel_keys k ON k.channel_id = c.id AND k.revoked_at IS NULL
  WHERE c.tenant_id = $1 AND c.mode = $2::"Mode" AND c.archived_at IS NULL
  GROUP BY c.id ORDER BY c.id DESC LIMIT ${CHANNELS_MAX}`;

/** The tenant's channels that can request offers, newest first. */
export async function keyedChannels(
  sql: Pick<Pool, "query">,
  { tenantId, mode }: Omit<GateQuery, "now">,
): Promise<KeyedChannel[]> {
  const values = [tenantId, mode];
  return (await sql.query<KeyedChannel>({ name: "keyed_channels", text: KEYED_CHANNELS, values })).rows;
}

export interface ChannelTraffic {
  /** Requests of the last week, and of its last day. */
  weekRequests: number;
  dayRequests: number;
  /** Counted and uncounted impressions and clicks of the last day. */
  valid: number;
  invalid: number;
}

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/** The last week of the tenant's channels, by channel; channels without events are missing. */
export async function channelTraffic(
  clickhouse: ClickHouseClient,
  { tenantId, mode, now }: GateQuery,
): Promise<Map<string, ChannelTraffic>> {
  const to = Math.floor(now.getTime() / 1000);
  const result = await clickhouse.query({
    query: `
      SELECT toString(channel_id), toString(sum(requests)), toString(sumIf(requests, is_today)),
        toString(sumIf(impressions + clicks, is_today)), toString(sumIf(invalid_impressions + invalid_clicks, is_today))
      FROM (SELECT *, slot >= fromUnixTimestamp({day:Int64}) AS is_today FROM report_slots
        WHERE tenant_id = {tenant:String} AND mode = {mode:String} AND slot >= fromUnixTimestamp({week:Int64}))
      GROUP BY channel_id`,
    query_params: { tenant: tenantId, mode, day: to - DAY_SECONDS, week: to - WEEK_SECONDS },
    format: "JSONCompactEachRow",
  });
  const rows = await result.json<[string, string, string, string, string]>();
  return new Map(
    rows.map(([id, week, day, valid, invalid]) => [
      id,
      { weekRequests: Number(week), dayRequests: Number(day), valid: Number(valid), invalid: Number(invalid) },
    ]),
  );
}
