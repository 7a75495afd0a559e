import type { Pool } from "pg";
import type { ConversionRow } from "./conversion";
import { attributeConversion } from "./conversions.sql";
import { lastTouch } from "./last-touch.sql";
import { factOf } from "./record-conversion";

const WAITS_MS = 24 * 60 * 60 * 1000;
const ROWS_MAX = 1000;

/**
 * Looks once more for the clicks of conversions that came before them: a click that was answered while Postgres was away
 * stands in the write-ahead file until it is claimed. Gives up after a day; answers how many found their click.
 */
export async function attributeWaiting(sql: Pool, { now, currency }: { now: Date; currency: string }): Promise<number> {
  const { rows } = await sql.query<ConversionRow>(
    "SELECT * FROM conversions WHERE reason = 'unknown_click' AND created_at > $1 ORDER BY created_at LIMIT $2",
    [new Date(now.getTime() - WAITS_MS), ROWS_MAX],
  );
  let found = 0;
  for (const row of rows) {
    const { tenant_id: tenantId, mode, advertiser_id: advertiserId, click_id: clickId, occurred_at: at } = row;
    // The user was never stored: only the click can have come late.
    const touch = await lastTouch(sql, { tenantId, mode, advertiserId, clickId, userKey: "", at });
    if (typeof touch === "string") continue;
    if (await attributeConversion(sql, row.id, { touch, fact: factOf(row, touch, currency) })) found++;
  }
  return found;
}
