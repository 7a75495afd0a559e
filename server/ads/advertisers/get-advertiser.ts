import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownRows } from "../own-rows";
import { type Advertiser, advertiserOf } from "./advertiser";

export const GetAdvertiser = z.strictObject({ id });

/** One advertiser of the tenant. Throws `not_found` for an archived one as well. */
export async function getAdvertiser({ db, actor }: AdsCtx, input: z.output<typeof GetAdvertiser>): Promise<Advertiser> {
  const row = await db.advertiser.findFirst({ where: { id: input.id, ...ownRows(actor) } });
  if (!row) throw notFound("advertiser", input.id);
  return advertiserOf(row);
}
