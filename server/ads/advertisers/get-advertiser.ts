import { z } from "zod";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { Advertiser, advertiserOf, ownAdvertiser } from "./advertiser";
import { advertiserExample } from "./advertiser.example";
import type { AdvertiserCtx } from "./advertiser-ctx";

/** Returns an advertiser of the tenant. Throws `not_found`, also for an archived one. */
export const getAdvertiser = operation({
  id: "getAdvertiser",
  summary: "Get an advertiser",
  access: "ads:read",
  input: z.strictObject({ id }),
  output: Advertiser,
  example: { input: { id: advertiserExample.id }, output: advertiserExample },
  run: async (ctx: Pick<AdvertiserCtx, "db" | "actor" | "automaticReview">, input) => {
    return advertiserOf(await ownAdvertiser(ctx, input.id), ctx.automaticReview);
  },
});
