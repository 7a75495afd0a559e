import type { Pool } from "pg";
import { DAY_MS, PIXEL_ORDERS_PER_CLICK_MAX, PIXEL_VALUE_MAX_MICROS, PIXEL_VALUES_PER_DAY } from "../limits";
import type { ConversionRow } from "./conversion";

/** What is left of the limits on orders that only a pixel reported. */
export interface PixelAllowance {
  /** Another order of the same click counts. */
  hasOrder: boolean;
  /** The highest value that still counts. */
  valueMicros: number;
}

/**
 * Locks the advertiser's row until the transaction ends, so that its pixel orders are counted one after another, then
 * reads what is left. Only orders that no server has reported since count towards the limits.
 */
export async function lockPixelAllowance(sql: Pick<Pool, "query">, row: ConversionRow): Promise<PixelAllowance> {
  const { advertiser_id, mode, click_id, created_at } = row;
  const { rows: held } = await sql.query<{ max: string | null }>({
    name: "hold_pixel_advertiser",
    text: "SELECT pixel_value_max_micros::text AS max FROM advertisers WHERE id = $1 FOR NO KEY UPDATE",
    values: [advertiser_id],
  });
  const { rows } = await sql.query<{ orders: number; micros: string }>({
    name: "pixel_room",
    text: `SELECT (SELECT count(*)::int FROM conversions WHERE source = 'pixel' AND click_id = $3) AS orders,
             (SELECT coalesce(sum(value_micros), 0)::text FROM conversions
              WHERE source = 'pixel' AND advertiser_id = $1 AND mode = $2 AND created_at > $4) AS micros`,
    values: [advertiser_id, mode, click_id, new Date(created_at.getTime() - DAY_MS)],
  });
  const max = Number(held[0]?.max ?? PIXEL_VALUE_MAX_MICROS);
  const [used] = rows;
  return {
    hasOrder: (used?.orders ?? 0) < PIXEL_ORDERS_PER_CLICK_MAX,
    valueMicros: Math.min(max, max * PIXEL_VALUES_PER_DAY - Number(used?.micros ?? 0)),
  };
}
