import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import type { AdsCtx } from "../ads-ctx";
import { GetAdvertiser, getAdvertiser } from "../advertisers/get-advertiser";
import { pixelToken } from "./pixel-token";

export const Pixel = z.object({
  token: z.string(),
  pixel_url: z.string().describe("Add `order_id`, and `click_id` and `value_micros` where they are known"),
  landing_script: z
    .string()
    .describe("For every page that offers lead to: keeps the click id on the advertiser's site"),
  order_script: z.string().describe("For the page after an order; put the order's id and value in"),
});

export const GetPixel = GetAdvertiser.extend({ mode: z.enum(["test", "live"]).optional() });

const STORE_KEY = "svc_click_id";

/** What an advertiser puts on its site to report orders. Throws `not_found` for an advertiser of another tenant. */
export async function getPixel(ctx: AdsCtx, input: z.output<typeof GetPixel>): Promise<z.input<typeof Pixel>> {
  const advertiser = await getAdvertiser(ctx, { id: input.id });
  const mode = modeOf(ctx.actor, input.mode);
  const token = pixelToken(ctx.pixelKey, { tenantId: ctx.actor.tenantId, advertiserId: advertiser.id, mode });
  const pixelUrl = `${ctx.publicUrl}/api/v1/conversions/pixel.gif?token=${token}`;
  return {
    token,
    pixel_url: pixelUrl,
    landing_script: `<script>
(function () {
  var id = new URLSearchParams(location.search).get("${STORE_KEY}");
  if (id && !navigator.globalPrivacyControl) localStorage.setItem("${STORE_KEY}", id);
})();
</script>`,
    order_script: `<script>
(function (orderId, valueMicros) {
  var id = localStorage.getItem("${STORE_KEY}") || "";
  new Image().src = "${pixelUrl}&order_id=" + encodeURIComponent(orderId) +
    "&value_micros=" + valueMicros + "&click_id=" + encodeURIComponent(id);
})("ORDER-1001", 49900000);
</script>`,
  };
}
