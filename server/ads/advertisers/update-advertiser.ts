import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id, name } from "../fields";
import { ownRows } from "../own-rows";
import { type Advertiser, advertiserFields, advertiserOf } from "./advertiser";

export const UpdateAdvertiser = z.strictObject({ id, name: name.optional(), ...advertiserFields });

/** Changes the fields that are given; `null` clears `domain` or `icon_url`. Throws `not_found`. */
export async function updateAdvertiser(
  { db, clock, actor }: AdsCtx,
  input: z.output<typeof UpdateAdvertiser>,
): Promise<Advertiser> {
  const [row] = await db.advertiser.updateManyAndReturn({
    where: { id: input.id, ...ownRows(actor) },
    data: {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.domain !== undefined && { domain: input.domain }),
      ...(input.icon_url !== undefined && { iconUrl: input.icon_url }),
      updatedAt: clock.now(),
    },
  });
  if (!row) throw notFound("advertiser", input.id);
  return advertiserOf(row);
}
