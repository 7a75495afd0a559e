import { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { listScope, olderThan, ownRows } from "../own-rows";
import { type Advertiser, advertiserOf } from "./advertiser";

export const ListAdvertisers = z.strictObject({ ...PageQuery.shape });

/** The tenant's advertisers, newest first. */
export function listAdvertisers(ctx: AdsCtx, input: z.output<typeof ListAdvertisers>): Promise<Page<Advertiser>> {
  return fetchPage(listScope(ctx, "advertisers"), input, async ({ after, take }) => {
    const rows = await ctx.db.advertiser.findMany({
      where: { ...ownRows(ctx.actor), ...olderThan(after) },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(advertiserOf);
  });
}
