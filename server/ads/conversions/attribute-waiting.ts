import type { Pool } from "pg";
import { DAY_MS } from "../limits";
import type { ConversionRow } from "./conversion";
import { attributeConversion, dueConversions, postponeConversion } from "./conversions.sql";
import { lastTouch } from "./last-touch.sql";
import { factOf } from "./record-conversion";
import { recordPixel } from "./record-pixel";
import { dueWaitingPixels, postponeWaitingPixel } from "./waiting-pixels.sql";

const FIRST_WAIT_MS = 60_000;
const ROWS_MAX = 1000;
const ROWS_OF_TENANT_MAX = 100;

interface Look {
  now: Date;
  currency: string;
}

/**
 * Looks for the clicks of orders that arrived before their click: a click that was accepted while Postgres was
 * unavailable stays in the write-ahead file until it is claimed. The interval doubles with each attempt, and attempts
 * end after a day. Returns how many orders found their click.
 */
export async function attributeWaiting(sql: Pool, look: Look): Promise<number> {
  return (await attributeConversions(sql, look)) + (await countWaitingPixels(sql, look));
}

async function attributeConversions(sql: Pool, { now, currency }: Look): Promise<number> {
  let found = 0;
  for (const row of await dueConversions(sql, { now, take: ROWS_MAX, takeOfTenant: ROWS_OF_TENANT_MAX })) {
    if (await attribute(sql, row, currency)) found++;
    else await postponeConversion(sql, row.id, nextLook(row.created_at, now));
  }
  return found;
}

async function attribute(sql: Pool, row: ConversionRow, currency: string): Promise<boolean> {
  const { tenant_id: tenantId, mode, advertiser_id: advertiserId, click_id: clickId, occurred_at: at } = row;
  // No user was stored, so only the click can have arrived late.
  const touch = await lastTouch(sql, { tenantId, mode, advertiserId, clickId, userKey: "", at });
  if (typeof touch === "string") return false;
  return attributeConversion(sql, row.id, { touch, fact: factOf(row, touch, currency) });
}

async function countWaitingPixels(sql: Pool, { now, currency }: Look): Promise<number> {
  let found = 0;
  for (const pixel of await dueWaitingPixels(sql, { now, take: ROWS_MAX })) {
    const outcome = await recordPixel(sql, { ...pixel, source: "pixel", userKey: "", currency, now });
    if (outcome === "counted") found++;
    const next = outcome === "unknown_click" ? nextLook(pixel.occurredAt, now) : undefined;
    await postponeWaitingPixel(sql, pixel, next);
  }
  return found;
}

/** Waits as long again as the order has waited so far; undefined after a day. */
function nextLook(since: Date, now: Date): Date | undefined {
  const waitedMs = now.getTime() - since.getTime();
  return waitedMs >= DAY_MS ? undefined : new Date(now.getTime() + Math.max(waitedMs, FIRST_WAIT_MS));
}
