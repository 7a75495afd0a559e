import type { Pool } from "pg";
import { SETTLES_AFTER_MS } from "./expected-spend";

/** Rows are written in id order, so that two processes cannot block each other for ever; the least() keeps exp from an underflow error. */
const ADD_PENDING = `
  INSERT INTO campaign_pending AS p (campaign_id, nanos, served_nanos, at)
  SELECT id, nanos, nanos, $3 FROM unnest($1::text[], $2::float8[]) AS a(id, nanos) ORDER BY id
  ON CONFLICT (campaign_id) DO UPDATE SET
    nanos = excluded.nanos + p.nanos
      * exp(-least(100, greatest(0, extract(epoch FROM excluded.at - p.at)::float8 * 1000 / ${SETTLES_AFTER_MS}))),
    served_nanos = p.served_nanos + excluded.nanos,
    at = greatest(p.at, excluded.at)`;

/** Adds what offers served by `now` are expected to cost, in nanos by campaign. */
export async function addPending(sql: Pool, pending: ReadonlyMap<string, number>, now: Date): Promise<void> {
  const values = [[...pending.keys()], [...pending.values()], now];
  await sql.query({ name: "add_pending", text: ADD_PENDING, values });
}

export interface SpendRow {
  id: string;
  /** In nanos. */
  today: string;
  total: string;
  pending: number | null;
  served: number | null;
  pendingAt: Date | null;
}

/** $1 campaigns, $2 the day that it is in each one's time zone. */
const CAMPAIGN_SPEND = `
  SELECT c.id, coalesce(s.today, 0)::text AS today, coalesce(s.total, 0)::text AS total,
    p.nanos AS pending, p.served_nanos AS served, p.at AS "pendingAt"
  FROM unnest($1::text[], $2::date[]) AS c(id, today)
  LEFT JOIN LATERAL (
    SELECT sum(nanos) FILTER (WHERE day = c.today) AS today, sum(nanos) AS total FROM campaign_spend WHERE campaign_id = c.id
  ) s ON true
  LEFT JOIN campaign_pending p ON p.campaign_id = c.id`;

/** What campaigns spent on a day and ever, and what they are expected to spend; a row for each. */
export async function readSpend(sql: Pool, asked: readonly { id: string; day: string }[]): Promise<SpendRow[]> {
  const values = [asked.map(({ id }) => id), asked.map(({ day }) => day)];
  return (await sql.query<SpendRow>({ name: "campaign_spend", text: CAMPAIGN_SPEND, values })).rows;
}
