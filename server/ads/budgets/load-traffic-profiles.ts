import type { ClickHouseClient } from "@clickhouse/client";
import { SIMULATED_CHANNELS } from "../traffic/traffic-reason";
import { TrafficProfiles } from "./traffic-profiles";

const DAYS_MAX = 7;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Reads live requests in whole days up to the current hour, so that every hour of the day is counted equally often.
 * Simulated visitors say nothing about those of other tenants.
 */
const COUNTED = `mode = 'live' AND campaign_id = '' AND requests > 0 AND NOT startsWith(toString(channel_id), '${SIMULATED_CHANNELS}')
  AND slot >= fromUnixTimestamp({from:Int64}) AND slot < fromUnixTimestamp({to:Int64})`;

/** Requests by hour of up to the last 7 days; an even spread if there is less than one day. */
export async function loadTrafficProfiles(clickhouse: ClickHouseClient, now: Date): Promise<TrafficProfiles> {
  const profiles = new TrafficProfiles();
  const to = Math.floor(now.getTime() / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
  const days = await daysOfHistory(clickhouse, to);
  if (days === 0) return profiles;
  const range = { from: to - days * DAY_SECONDS, to };
  const byChannel = `SELECT toString(tenant_id), toString(channel_id), toString(toHour(slot)), toString(sum(requests))
    FROM report_slots WHERE ${COUNTED} GROUP BY tenant_id, channel_id, toHour(slot)`;
  for (const [tenantId = "", channelId = "", hour, requests] of await read(clickhouse, byChannel, range)) {
    profiles.addChannel(tenantId, channelId, { hour: Number(hour), requests: Number(requests) });
  }
  const byGeo = `SELECT toString(geo), toString(toHour(slot)), toString(sum(requests))
    FROM report_slots WHERE ${COUNTED} GROUP BY geo, toHour(slot)`;
  for (const [geo = "", hour, requests] of await read(clickhouse, byGeo, range)) {
    profiles.addGeo(geo, { hour: Number(hour), requests: Number(requests) });
  }
  return profiles;
}

async function daysOfHistory(clickhouse: ClickHouseClient, to: number): Promise<number> {
  const range = { from: to - DAYS_MAX * DAY_SECONDS, to };
  const oldest = `SELECT toString(toUnixTimestamp(min(slot))) FROM report_slots WHERE ${COUNTED} HAVING count() > 0`;
  const [row] = await read(clickhouse, oldest, range);
  // The first quarter of an hour is used for the whole hour.
  return row ? Math.floor((to - Math.floor(Number(row[0]) / HOUR_SECONDS) * HOUR_SECONDS) / DAY_SECONDS) : 0;
}

async function read(clickhouse: ClickHouseClient, query: string, range: { from: number; to: number }) {
  const result = await clickhouse.query({ query, query_params: range, format: "JSONCompactEachRow" });
  return result.json<string[]>();
}
