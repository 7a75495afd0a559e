import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { type Campaign, campaignOf, ownCampaign } from "./campaign";

export const GetCampaign = z.strictObject({ id });

/** One campaign of the tenant. Throws `not_found` for an archived one as well. */
export async function getCampaign(ctx: AdsCtx, input: z.output<typeof GetCampaign>): Promise<Campaign> {
  return campaignOf(await ownCampaign(ctx, input.id), ctx.currency);
}
