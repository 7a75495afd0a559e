import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { modeChoice } from "../fields";
import { olderThan, ownRows } from "../own-rows";
import { Advertiser, advertiserOf } from "./advertiser";
import { advertiserExample } from "./advertiser.example";
import type { AdvertiserCtx } from "./advertiser-ctx";

/** Lists the tenant's advertisers of one mode, newest first. */
export const listAdvertisers = operation({
  id: "listAdvertisers",
  summary: "List advertisers",
  access: "ads:read",
  input: z.strictObject({ ...PageQuery.shape, mode: modeChoice }),
  output: pageOf(Advertiser),
  example: { input: { limit: 50 }, output: examplePage(advertiserExample) },
  run: (ctx: ActorCtx & Pick<AdvertiserCtx, "automaticReview">, input) => {
    const mode = modeOf(ctx.actor, input.mode);
    return fetchPage(listScope(ctx, "advertisers", { mode }), input, async ({ after, take }) => {
      const rows = await ctx.db.advertiser.findMany({
        where: { ...ownRows(ctx.actor), mode, ...olderThan(after) },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map((row) => advertiserOf(row, ctx.automaticReview));
    });
  },
});
