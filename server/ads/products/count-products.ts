import { z } from "zod";
import type { AdsCtx } from "../ads-ctx";
import { ownCampaign } from "../campaigns/campaign";
import { id } from "../fields";

export const CountProducts = z.strictObject({ id });

export interface ProductCount {
  /** All that are not archived. */
  products: number;
  /** Of these, the ones that are not served because nobody can buy them. */
  out_of_stock: number;
}

/** How many products a campaign's feed has. Throws `not_found` for the campaign. */
export async function countProducts(
  ctx: Pick<AdsCtx, "db" | "actor">,
  input: z.output<typeof CountProducts>,
): Promise<ProductCount> {
  const campaign = await ownCampaign(ctx, input.id);
  const groups = await ctx.db.product.groupBy({
    by: ["availability"],
    where: { campaignId: campaign.id, archivedAt: null },
    _count: true,
  });
  const of = (availability: string) => groups.find((group) => group.availability === availability)?._count ?? 0;
  return { products: groups.reduce((sum, { _count }) => sum + _count, 0), out_of_stock: of("out_of_stock") };
}
