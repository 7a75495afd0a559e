import { z } from "zod";
import { enforceRate } from "../../engines/counters/fail-open";
import { agentReason } from "../../guard/bots/agent-reason";
import { ServiceError } from "../../kernel/errors";
import { PIXEL_RATE } from "../limits";
import { operation } from "../offers-operation";
import { orderExample } from "./conversion.example";
import type { PixelCtx } from "./pixel-ctx";
import { readPixelToken } from "./pixel-token";
import { recordPixel } from "./record-pixel";
import { ClickId, OrderId, requireCurrency, ValueMicros } from "./report-conversion";
import { keepWaitingPixel } from "./waiting-pixels.sql";

/**
 * Records an order that a page of the advertiser reports. It is attributed only by its click, because a page may claim
 * anything. Without a counted click nothing is stored; with one the order counts as unverified until a server reports
 * it. An unknown click is searched for a day. Bots, data centers and HEAD requests are ignored. Throws `unauthorized` for a token that
 * svc did not issue, and `rate_limited`.
 */
export const followPixel = operation({
  id: "followPixel",
  summary: "Report a conversion by pixel",
  description: "Returns a transparent one-pixel image for use on an advertiser's pages. Each order counts once.",
  access: "pixel_token",
  input: z.object({
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
  }),
  output: z.void(),
  example: { input: { token: "pxl_example", ...orderExample, value_micros: "49900000" }, output: undefined },
  streams: "image/gif",
  run: async (ctx: PixelCtx, input) => {
    const snapshot = ctx.catalog.snapshot();
    const signer = readPixelToken(ctx.pixelKey, input.token, (id) => snapshot.advertiser(id)?.tenantId);
    if (!signer) throw new ServiceError("unauthorized", "`token` is not a valid pixel token.", { param: "token" });
    // Test tokens of an advertiser whose test campaigns moved to a copy count for the copy.
    const owner = { ...signer, advertiserId: snapshot.advertiserOf(signer.advertiserId, signer.mode) };
    requireCurrency(input.currency, ctx.currency);
    const { visitor } = ctx;
    if (agentReason(visitor.userAgent) !== "" || visitor.dataCenter || visitor.head) return;
    await withinRate(ctx);
    const now = ctx.clock.now();
    const pixel = {
      ...owner,
      orderId: input.order_id,
      clickId: input.click_id,
      valueMicros: input.value_micros,
      occurredAt: now,
    };
    const shared = { source: "pixel", userKey: "", currency: ctx.currency, now } as const;
    if ((await recordPixel(ctx.sql, { ...pixel, ...shared })) === "unknown_click")
      await keepWaitingPixel(ctx.sql, pixel);
  },
});

async function withinRate({ counters, visitor }: PixelCtx): Promise<void> {
  if (visitor.exempt) return;
  const take = { key: `pixel:${visitor.addressHash}`, rate: PIXEL_RATE };
  await enforceRate(counters, take, "Too many conversions from this address; retry later.");
}
