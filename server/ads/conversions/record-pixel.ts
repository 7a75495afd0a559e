import type { Pool } from "pg";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import type { ConversionRow } from "./conversion";
import { findConversion, insertConversion } from "./conversions.sql";
import { lastTouch, type Touch } from "./last-touch.sql";
import { lockOrder } from "./lock-order";
import { lockPixelAllowance } from "./pixel-allowance.sql";
import { factOf, type Order, rowOf } from "./record-conversion";

export type PixelOutcome = "counted" | "ignored" | "unknown_click";

/**
 * Counts an order that a page reports as unverified, if it has a counted click of the advertiser's campaigns within the
 * window, the order has not been reported before, and the click has not explained too many orders. Above the
 * advertiser's limits it counts with the value 0. Otherwise nothing is written. Throws `unavailable` if Postgres is
 * unavailable.
 */
export async function recordPixel(sql: Pool, order: Order): Promise<PixelOutcome> {
  try {
    const touch = await lastTouch(sql, { ...order, at: order.occurredAt });
    if (typeof touch === "string") return touch === "unknown_click" ? touch : "ignored";
    const row = rowOf(order, touch);
    return await lockOrder<PixelOutcome>(sql, row, {
      known: async (client) => ((await findConversion(client, row)) ? "ignored" : undefined),
      write: (client) => countPixel(client, row, { touch, currency: order.currency }),
    });
  } catch (failure) {
    throw unavailableOnConnectionError(failure);
  }
}

async function countPixel(
  sql: Pick<Pool, "query">,
  claimed: ConversionRow,
  { touch, currency }: { touch: Touch; currency: string },
): Promise<PixelOutcome> {
  const room = await lockPixelAllowance(sql, claimed);
  if (!room.hasOrder) return "ignored";
  const over = Number(claimed.value_micros) > room.valueMicros;
  const row = over ? { ...claimed, value_micros: "0", over_limit: true } : claimed;
  const fact = factOf(row, touch, currency);
  return (await insertConversion(sql, { ...row, fact }, fact)) ? "counted" : "ignored";
}
