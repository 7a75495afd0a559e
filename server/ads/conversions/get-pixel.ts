import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { notFound } from "../../kernel/errors";
import { exampleId } from "../../operation/example";
import { operation } from "../ads-operation";
import { getAdvertiser } from "../advertisers/get-advertiser";
import type { ConversionCtx } from "./conversion-ctx";
import { pixelToken } from "./pixel-token";

export const Pixel = z.object({
  token: z.string(),
  pixel_url: z.string().describe("The pixel's URL; add `order_id`, and `click_id` and `value_micros` if known"),
  landing_script: z.string().describe("For every landing page: stores the click id on the advertiser's site"),
  order_script: z.string().describe("For the order confirmation page; insert the order's id and value"),
});

const STORE_KEY = "svc_click_id";

/**
 * Returns what an advertiser adds to its site to report orders. Throws `not_found` for an advertiser of another tenant
 * or mode.
 */
export const getPixel = operation({
  id: "getPixel",
  summary: "Get the pixel and scripts that report orders",
  access: "ads:read",
  input: getAdvertiser.input.extend({
    mode: z.enum(["test", "live"]).optional().describe("Must be the advertiser's mode, which is the default"),
  }),
  output: Pixel,
  example: {
    input: { id: exampleId("adv") },
    output: {
      token: "pxl_example",
      pixel_url: "https://svc.example/api/v1/conversions/pixel.gif?token=pxl_example&order_id=ORDER",
      landing_script: "<script>/* keeps svc_click_id */</script>",
      order_script: "<script>/* reports the order */</script>",
    },
  },
  run: async (ctx: ActorCtx & Pick<ConversionCtx, "automaticReview" | "pixelKey" | "publicUrl">, input) => {
    const advertiser = await getAdvertiser.run(ctx, { id: input.id });
    const { id: advertiserId, mode } = advertiser;
    if (input.mode !== undefined && input.mode !== mode) throw notFound("advertiser", input.id);
    const token = pixelToken(ctx.pixelKey, { tenantId: ctx.actor.tenantId, advertiserId, mode });
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
  },
});
