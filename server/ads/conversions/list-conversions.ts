import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { Conversion, conversionOf } from "./conversion";
import { conversionExample } from "./conversion.example";
import type { ConversionCtx } from "./conversion-ctx";
import { listConversionRows } from "./conversions.sql";

/** Lists the orders that the tenant reported, newest first. */
export const listConversions = operation({
  id: "listConversions",
  summary: "List reported orders",
  access: "ads:read",
  input: z.strictObject({
    ...PageQuery.shape,
    mode: z.enum(["test", "live"]).optional(),
    campaign_id: z.string().max(64).optional(),
    attribution: z.enum(["click", "view", "none"]).optional(),
  }),
  output: pageOf(Conversion),
  example: { input: { limit: 50, attribution: "click" }, output: examplePage(conversionExample) },
  run: (ctx: ActorCtx & Pick<ConversionCtx, "currency" | "sql">, input) => {
    const mode = modeOf(ctx.actor, input.mode);
    const { campaign_id: campaignId, attribution } = input;
    const scope = listScope(ctx, "conversions", { mode, campaignId, attribution });
    return fetchPage(scope, input, async ({ after, take }) => {
      const requested = { tenantId: ctx.actor.tenantId, mode, campaignId, attribution, after, take };
      return (await listConversionRows(ctx.sql, requested)).map((row) => conversionOf(row, ctx.currency));
    });
  },
});
