import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { listScope } from "../own-rows";
import { type Conversion, conversionOf } from "./conversion";
import { listConversionRows } from "./conversions.sql";

export const ListConversions = z.strictObject({
  ...PageQuery.shape,
  mode: z.enum(["test", "live"]).optional(),
  campaign_id: z.string().max(64).optional(),
  attribution: z.enum(["click", "view", "none"]).optional(),
});

/** The orders that the tenant reported, newest first. */
export function listConversions(ctx: AdsCtx, input: z.output<typeof ListConversions>): Promise<Page<Conversion>> {
  const mode = modeOf(ctx.actor, input.mode);
  const { campaign_id: campaignId, attribution } = input;
  const scope = listScope(ctx, "conversions", { mode, campaignId, attribution });
  return fetchPage(scope, input, async ({ after, take }) => {
    const asked = { tenantId: ctx.actor.tenantId, mode, campaignId, attribution, after, take };
    return (await listConversionRows(ctx.sql, asked)).map((row) => conversionOf(row, ctx.currency));
  });
}
