import type { Pool } from "pg";
import { unavailableOnConnectionError } from "../../engines/postgres/connection-error";
import { newId } from "../../kernel/ids";
import { clickhouseTime, type FactRow } from "../events/fact-rows";
import type { ConversionRow } from "./conversion";
import { findConversion, insertConversion, withdrawPixels } from "./conversions.sql";
import { lastTouch, type Touch } from "./last-touch.sql";
import { lockOrder } from "./lock-order";

/** An order as reported by an advertiser's server or page. */
export interface Order {
  source: "server" | "pixel";
  tenantId: string;
  mode: "test" | "live";
  orderId: string;
  /** "" if the report does not include it; then the touch determines it. */
  advertiserId: string;
  clickId: string;
  userKey: string;
  valueMicros: number;
  occurredAt: Date;
  /** The billing currency, the only one that values can have. */
  currency: string;
  now: Date;
}

/** A conversion, and whether a server had already reported the order. */
export interface Recorded {
  row: ConversionRow;
  duplicate: boolean;
}

/**
 * Attributes an order that a server reports to its last touch and stores it once, replacing its pixel conversion. An
 * order that a server already reported is not changed. Throws `unavailable` if Postgres is unavailable; the client can
 * retry.
 */
export async function recordConversion(sql: Pool, order: Order): Promise<Recorded> {
  try {
    const touch = await lastTouch(sql, { ...order, at: order.occurredAt });
    const row = rowOf(order, touch);
    const fact = typeof touch === "string" ? undefined : factOf(row, touch, order.currency);
    return await lockOrder(sql, row, {
      known: (client) => reportedBefore(client, row),
      write: (client) => replacePixels(client, row, fact),
    });
  } catch (failure) {
    throw unavailableOnConnectionError(failure);
  }
}

async function reportedBefore(sql: Pick<Pool, "query">, row: ConversionRow): Promise<Recorded | undefined> {
  const known = await findConversion(sql, row);
  return known && known.source !== "pixel" ? { row: known, duplicate: true } : undefined;
}

async function replacePixels(
  sql: Pick<Pool, "query">,
  row: ConversionRow,
  fact: FactRow | undefined,
): Promise<Recorded> {
  await withdrawPixels(sql, row);
  if (await insertConversion(sql, row, fact)) return { row, duplicate: false };
  return { row: (await findConversion(sql, row)) ?? row, duplicate: true };
}

export function rowOf(order: Order, touch: Touch | string): ConversionRow {
  const shared = {
    id: newId("cnv", order.now.getTime()),
    tenant_id: order.tenantId,
    mode: order.mode,
    source: order.source,
    order_id: order.orderId,
    over_limit: null,
    fact: null,
    value_micros: String(order.valueMicros),
    occurred_at: order.occurredAt,
    created_at: order.now,
  };
  if (typeof touch === "string") {
    const reason = touch as ConversionRow["reason"];
    const nobody = { offer_id: null, campaign_id: "", publisher_tenant_id: "", channel_id: "", touched_at: null };
    return {
      ...shared,
      ...nobody,
      advertiser_id: order.advertiserId,
      click_id: order.clickId,
      attribution: "none",
      reason,
      look_at: reason === "unknown_click" ? order.now : null,
    };
  }
  const { attribution, offer_id, click_id, advertiser_id, campaign_id, publisher_tenant_id, channel_id, touched_at } =
    touch;
  const touched = { offer_id, click_id, advertiser_id, campaign_id, publisher_tenant_id, channel_id, touched_at };
  return { ...shared, ...touched, attribution, reason: "", look_at: null };
}

/** A row of the ClickHouse table `conversions`, with the time of the order. */
export const factOf = (row: ConversionRow, touch: Touch, currency: string): FactRow => ({
  at: clickhouseTime(row.occurred_at.getTime()),
  conversion_id: row.id,
  order_id: row.order_id,
  click_id: touch.click_id,
  offer_id: touch.offer_id,
  clicked_at: clickhouseTime(touch.touched_at.getTime()),
  tenant_id: touch.publisher_tenant_id,
  channel_id: touch.channel_id,
  mode: row.mode,
  buyer_tenant_id: row.tenant_id,
  advertiser_id: touch.advertiser_id,
  campaign_id: touch.campaign_id,
  creative_id: touch.creative_id,
  product_id: touch.product_id,
  placement: touch.placement,
  geo: touch.geo,
  device: touch.device,
  value_micros: Number(row.value_micros),
  currency,
  source: row.source ?? "server",
  sign: 1,
});
