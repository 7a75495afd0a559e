import { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { PIXEL_RATE } from "../limits";
import type { ServeCtx } from "../serve-ctx";
import { agentReason } from "../traffic/agent-reason";
import { readPixelToken } from "./pixel-token";
import { recordConversion } from "./record-conversion";
import { ClickId, OrderId, requireCurrency, ValueMicros } from "./report-conversion";

export const FollowPixel = z.object({
  token: z.string().max(200).describe("From `GET /v1/ads/advertisers/{id}/pixel`"),
  order_id: OrderId,
  click_id: ClickId,
  value_micros: z
    .string()
    .regex(/^\d{1,13}$/, "expected a whole number of micros")
    .transform(Number)
    .pipe(ValueMicros)
    .default(0)
    .meta({ type: "integer", minimum: 0 }),
  currency: z.string().max(3).optional(),
});

/**
 * A conversion as a page of the advertiser reports it: by its click alone, because a page may claim anything. Bots and
 * data centres count for nothing. Throws `unauthorized` for a token that is not svc's, and `rate_limited`.
 */
export async function followPixel(ctx: ServeCtx, input: z.output<typeof FollowPixel>): Promise<void> {
  const snapshot = ctx.catalog.snapshot();
  const owner = readPixelToken(ctx.pixelKey, input.token, (id) => snapshot.advertiser(id)?.tenantId);
  if (!owner) throw new ServiceError("unauthorized", "`token` is not the token of a pixel.", { param: "token" });
  requireCurrency(input.currency, ctx.currency);
  const { visitor } = ctx;
  if (agentReason(visitor.userAgent) !== "" || visitor.dataCenter || visitor.prefetch) return;
  await withinRate(ctx);
  const now = ctx.clock.now();
  await recordConversion(ctx.sql, {
    ...owner,
    orderId: input.order_id,
    clickId: input.click_id,
    userKey: "",
    valueMicros: input.value_micros,
    occurredAt: now,
    currency: ctx.currency,
    now,
  });
}

async function withinRate({ counters, visitor }: ServeCtx): Promise<void> {
  if (visitor.exempt) return;
  const verdict = await counters.take(`pixel:${visitor.addressHash}`, PIXEL_RATE);
  if (verdict.allowed) return;
  throw new ServiceError("rate_limited", "Too many conversions from this address; retry later.", {
    retryAfterSeconds: Math.ceil(verdict.retryAfterMs / 1000),
  });
}
