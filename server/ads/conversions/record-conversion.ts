import type { Pool } from "pg";
import { unavailableIfAway } from "../../engines/postgres/is-away";
import { newId } from "../../kernel/ids";
import { clickhouseTime, type FactRow } from "../events/fact-rows";
import type { ConversionRow } from "./conversion";
import { findConversion, insertConversion } from "./conversions.sql";
import { lastTouch, type Touch } from "./last-touch.sql";

/** An order as an advertiser's server or page reports it. */
export interface Order {
  tenantId: string;
  mode: "test" | "live";
  orderId: string;
  /** "" when the report does not say; then the touch does. */
  advertiserId: string;
  clickId: string;
  userKey: string;
  valueMicros: number;
  occurredAt: Date;
  /** The billing currency: values are in no other. */
  currency: string;
  now: Date;
}

/**
 * Attributes an order to its last touch and writes it once; an order that is known already stays what it was, and is
 * answered as a duplicate. Throws `unavailable` when Postgres is away: report it again.
 */
export async function recordConversion(
  sql: Pick<Pool, "query">,
  order: Order,
): Promise<{ row: ConversionRow; duplicate: boolean }> {
  try {
    const touch = await lastTouch(sql, { ...order, at: order.occurredAt });
    const row = rowOf(order, touch);
    const fact = typeof touch === "string" ? undefined : factOf(row, touch, order.currency);
    if (await insertConversion(sql, row, fact)) return { row, duplicate: false };
    return { row: (await findConversion(sql, row)) ?? row, duplicate: true };
  } catch (failure) {
    throw unavailableIfAway(failure);
  }
}

function rowOf(order: Order, touch: Touch | string): ConversionRow {
  const shared = {
    id: newId("cnv", order.now.getTime()),
    tenant_id: order.tenantId,
    mode: order.mode,
    order_id: order.orderId,
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
    };
  }
  const { attribution, offer_id, click_id, advertiser_id, campaign_id, publisher_tenant_id, channel_id, touched_at } =
    touch;
  const touched = { offer_id, click_id, advertiser_id, campaign_id, publisher_tenant_id, channel_id, touched_at };
  return { ...shared, ...touched, attribution, reason: "" };
}

/** A row of ClickHouse's `conversions`; it counts at the time of the order. */
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
});
