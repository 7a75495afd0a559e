import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { ServiceError } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { userKeyOf } from "../signals/subject-keys";
import { VisitorId } from "../users/visitor-id";
import { conversionOf, type ReportedConversion } from "./conversion";
import { recordConversion } from "./record-conversion";

const DAY_MS = 24 * 60 * 60 * 1000;
const AHEAD_MAX_MS = 60_000;
const LATE_MAX_MS = 90 * DAY_MS;

export const OrderId = z.string().trim().min(1).max(128).describe("The advertiser's own; each order counts once");
export const ClickId = z
  .string()
  .regex(/^([0-9a-fA-F]{32})?$/, "expected the 32 hexadecimal digits of `svc_click_id`")
  .transform((id) => id.toLowerCase())
  .default("")
  .describe("`svc_click_id` of the landing page");
export const ValueMicros = z.int().min(0).max(1_000_000_000_000).describe("In micros of the billing currency");

export const ReportConversion = z.strictObject({
  order_id: OrderId,
  click_id: ClickId,
  advertiser_id: z
    .string()
    .max(64)
    .default("")
    .describe(
      "Whose order it is, where a tenant has several advertisers; default: the advertiser of the click or view",
    ),
  user_id: VisitorId.describe(
    "A user of the tenant's own channels, as offers requests name it: finds views and clicks",
  ),
  value_micros: ValueMicros.default(0),
  currency: z.string().optional().describe("Only the installation's billing currency, which is the default"),
  occurred_at: z.iso.datetime({ offset: true }).optional().describe("Default now; at most 90 days ago"),
  mode: z.enum(["test", "live"]).optional().describe("For people; a key reports in its own mode. Default: test"),
});

/**
 * Attributes an order to the last click, else the last viewable impression, within the campaign's window (last touch).
 * An order of an advertiser counts once: reported again, it is answered as it was with `duplicate: true`. One that no touch explains is
 * kept with its reason and counts for no campaign.
 */
export async function reportConversion(
  ctx: AdsCtx,
  input: z.output<typeof ReportConversion>,
): Promise<z.input<typeof ReportedConversion>> {
  const now = ctx.clock.now();
  requireCurrency(input.currency, ctx.currency);
  const occurredAt = input.occurred_at === undefined ? now : new Date(input.occurred_at);
  const ageMs = now.getTime() - occurredAt.getTime();
  if (ageMs < -AHEAD_MAX_MS || ageMs > LATE_MAX_MS) {
    const message = "`occurred_at` must lie within the last 90 days and not in the future.";
    throw new ServiceError("invalid_request", message, { param: "occurred_at" });
  }
  const { tenantId } = ctx.actor;
  const { row, duplicate } = await recordConversion(ctx.sql, {
    ...{ tenantId, now, occurredAt, currency: ctx.currency },
    mode: modeOf(ctx.actor, input.mode),
    orderId: input.order_id,
    advertiserId: input.advertiser_id,
    clickId: input.click_id,
    userKey: input.user_id ? userKeyOf(ctx.userKey, tenantId, input.user_id) : "",
    valueMicros: input.value_micros,
  });
  return { ...conversionOf(row, ctx.currency), duplicate };
}

/** Values are summed, so they are all in one currency. */
export function requireCurrency(given: string | undefined, billing: string): void {
  if (given === undefined || given === billing) return;
  const message = `\`currency\` must be ${billing}, the billing currency here; convert the value first.`;
  throw new ServiceError("invalid_request", message, { param: "currency" });
}
