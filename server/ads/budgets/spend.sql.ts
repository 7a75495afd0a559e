import type { Pool } from "pg";
import { SETTLES_AFTER_MS } from "./expected-spend";
import { spentEver, spentOn } from "./spent";

/** Rows are written in id order, so that two processes cannot deadlock; least() prevents an underflow error in exp. */
const ADD_PENDING = `
  INSERT INTO campaign_pending AS p (campaign_id, nanos, served_nanos, at)
  SELECT id, nanos, nanos, $3 FROM unnest($1::text[], $2::float8[]) AS a(id, nanos) ORDER BY id
  ON CONFLICT (campaign_id) DO UPDATE SET
    nanos = excluded.nanos + p.nanos
      * exp(-least(100, greatest(0, extract(epoch FROM excluded.at - p.at)::float8 * 1000 / ${SETTLES_AFTER_MS}))),
    served_nanos = p.served_nanos + excluded.nanos,
    at = greatest(p.at, excluded.at)`;

/** Adds the expected cost of offers served by `now`, in nanos by campaign. */
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

/** $1: campaigns, $2: the current day in each campaign's time zone. */
const CAMPAIGN_SPEND = `
  SELECT c.id, ${spentOn("c.id", "c.today")}::text AS today, ${spentEver("c.id")}::text AS total,
    p.nanos AS pending, p.served_nanos AS served, p.at AS "pendingAt"
  FROM unnest($1::text[], $2::date[]) AS c(id, today)
  LEFT JOIN campaign_pending p ON p.campaign_id = c.id`;

/** What campaigns spent on a day and in total, and their expected spend; one row per campaign. */
export async function readSpend(sql: Pool, requested: readonly { id: string; day: string }[]): Promise<SpendRow[]> {
  const values = [requested.map(({ id }) => id), requested.map(({ day }) => day)];
  return (await sql.query<SpendRow>({ name: "campaign_spend", text: CAMPAIGN_SPEND, values })).rows;
}
