import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { modeOf } from "../../operation/actor";
import { operation } from "../ads-operation";
import { ORDER_VALUE_MAX_MICROS } from "../limits";
import { userKeyOf } from "../users/subject-keys";
import { VisitorId } from "../users/visitor-id";
import { conversionOf, ReportedConversion } from "./conversion";
import { conversionExample, orderExample } from "./conversion.example";
import type { ConversionCtx } from "./conversion-ctx";
import { recordConversion } from "./record-conversion";

const DAY_MS = 24 * 60 * 60 * 1000;
const AHEAD_MAX_MS = 60_000;
const LATE_MAX_MS = 90 * DAY_MS;

export const OrderId = z.string().trim().min(1).max(128).describe("The advertiser's order id; each order counts once");
export const ClickId = z
  .string()
  .regex(/^([0-9a-fA-F]{32})?$/, "expected the 32 hexadecimal digits of `svc_click_id`")
  .transform((id) => id.toLowerCase())
  .default("")
  .describe("The `svc_click_id` parameter of the landing page URL");
export const ValueMicros = z.int().min(0).max(ORDER_VALUE_MAX_MICROS).describe("In micros of the billing currency");

export const ReportConversion = z.strictObject({
  order_id: OrderId,
  click_id: ClickId,
  advertiser_id: z
    .string()
    .max(64)
    .default("")
    .describe("The advertiser of the order, if the tenant has several; default: the advertiser of the click or view"),
  user_id: VisitorId.describe(
    "A user of the tenant's own channels, as in offers requests; used to find views and clicks",
  ),
  value_micros: ValueMicros.default(0),
  currency: z.string().optional().describe("Must be the installation's billing currency, which is the default"),
  occurred_at: z.iso.datetime({ offset: true }).optional().describe("Default now; at most 90 days ago"),
  mode: z
    .enum(["test", "live"])
    .optional()
    .describe("The mode to use with a session (default: test); a key always uses its own mode"),
});

/**
 * Attributes an order to the last click, else to the last viewable impression, within the campaign's window (last
 * touch). An order of an advertiser counts once: if a server reports it again, the existing conversion is returned with
 * `duplicate: true`; a pixel's report is replaced. An order without a touch is stored with its reason and counts for no
 * campaign.
 */
export const reportConversion = operation({
  id: "reportConversion",
  summary: "Report an order",
  access: "ads:write",
  result: "created",
  input: ReportConversion,
  output: ReportedConversion,
  example: { input: orderExample, output: { ...conversionExample, duplicate: false } },
  run: async (ctx: ActorCtx & Pick<ConversionCtx, "currency" | "sql" | "userKey">, input) => {
    const now = ctx.clock.now();
    requireCurrency(input.currency, ctx.currency);
    const occurredAt = input.occurred_at === undefined ? now : new Date(input.occurred_at);
    const ageMs = now.getTime() - occurredAt.getTime();
    if (ageMs < -AHEAD_MAX_MS || ageMs > LATE_MAX_MS) {
      const message = "`occurred_at` must be within the last 90 days and not in the future.";
      throw new ServiceError("invalid_request", message, { param: "occurred_at" });
    }
    const { tenantId } = ctx.actor;
    const { row, duplicate } = await recordConversion(ctx.sql, {
      source: "server",
      tenantId,
      now,
      occurredAt,
      currency: ctx.currency,
      mode: modeOf(ctx.actor, input.mode),
      orderId: input.order_id,
      advertiserId: input.advertiser_id,
      clickId: input.click_id,
      userKey: input.user_id ? userKeyOf(ctx.userKey, tenantId, input.user_id) : "",
      valueMicros: input.value_micros,
    });
    return { ...conversionOf(row, ctx.currency), duplicate };
  },
});

/** Values are summed, so they must all be in one currency. */
export function requireCurrency(given: string | undefined, billing: string): void {
  if (given === undefined || given === billing) return;
  const message = `\`currency\` must be ${billing}, the installation's billing currency; convert the value first.`;
  throw new ServiceError("invalid_request", message, { param: "currency" });
}
