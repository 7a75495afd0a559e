import type { Pool } from "pg";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import { PIXELS_WAITING_MAX } from "../limits";
import type { PixelOwner } from "./pixel-token";

/** A pixel order whose click is unknown. */
export interface WaitingPixel extends PixelOwner {
  orderId: string;
  clickId: string;
  valueMicros: number;
  occurredAt: Date;
}

/** A waiting order and its slot among those of its advertiser. */
export type PlacedPixel = WaitingPixel & { place: number };

/**
 * Stores the order in one of its advertiser's slots, selected by the hash of its click, and replaces the order in that
 * slot. Throws `unavailable` if Postgres is unavailable.
 */
export async function keepWaitingPixel(
  sql: Pick<Pool, "query">,
  { tenantId, advertiserId, mode, orderId, clickId, valueMicros, occurredAt }: WaitingPixel,
): Promise<void> {
  const keeping = sql.query({
    name: "keep_waiting_pixel",
    text: `INSERT INTO waiting_pixels (advertiser_id, mode, place, tenant_id, order_id, click_id, value_micros, occurred_at, look_at)
           VALUES ($1, $2, mod(hashtext($6)::bigint + 2147483648, ${PIXELS_WAITING_MAX}), $3, $4, $6, $5, $7, $7)
           ON CONFLICT (advertiser_id, mode, place) DO UPDATE SET tenant_id = excluded.tenant_id,
             order_id = excluded.order_id, click_id = excluded.click_id, value_micros = excluded.value_micros,
             occurred_at = excluded.occurred_at, look_at = excluded.look_at`,
    values: [advertiserId, mode, tenantId, orderId, valueMicros, clickId, occurredAt],
  });
  await keeping.catch((failure: unknown) => {
    throw unavailableOnConnectionError(failure);
  });
}

/** Orders that are due for another attempt, longest due first. */
export async function dueWaitingPixels(
  sql: Pick<Pool, "query">,
  { now, take }: { now: Date; take: number },
): Promise<PlacedPixel[]> {
  const { rows } = await sql.query<PlacedPixel>(
    `SELECT tenant_id AS "tenantId", advertiser_id AS "advertiserId", mode, place, order_id AS "orderId", click_id AS "clickId",
       value_micros::float8 AS "valueMicros", occurred_at AS "occurredAt"
     FROM waiting_pixels WHERE look_at <= $1 ORDER BY look_at LIMIT $2`,
    [now, take],
  );
  return rows;
}

/**
 * Schedules the next attempt at `lookAt`, or ends the search with undefined; an order that has since taken the slot is
 * not changed.
 */
export async function postponeWaitingPixel(
  sql: Pick<Pool, "query">,
  { advertiserId, mode, place, orderId, clickId }: PlacedPixel,
  lookAt: Date | undefined,
): Promise<void> {
  const change = lookAt === undefined ? "DELETE FROM waiting_pixels" : "UPDATE waiting_pixels SET look_at = $6";
  await sql.query(
    `${change} WHERE advertiser_id = $1 AND mode = $2 AND place = $3 AND order_id = $4 AND click_id = $5`,
    [advertiserId, mode, place, orderId, clickId, ...(lookAt === undefined ? [] : [lookAt])],
  );
}
