import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id, name } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { type Channel, channelFields, channelOf } from "./channel";

export const UpdateChannel = z.strictObject({
  id,
  name: name.optional(),
  origins: channelFields.origins.optional(),
  categories: channelFields.categories.optional(),
  blocked_categories: channelFields.blocked_categories.optional(),
  blocked_advertisers: channelFields.blocked_advertisers.optional(),
});

/** Changes the fields that are given; a list replaces the one before. Throws `not_found`. */
export async function updateChannel(
  { db, clock, actor }: AdsCtx,
  input: z.output<typeof UpdateChannel>,
): Promise<Channel> {
  const [row] = await db.channel.updateManyAndReturn({
    where: { id: input.id, ...ownRowsOfMode(actor) },
    data: {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.origins && { origins: input.origins }),
      ...(input.categories && { categories: input.categories }),
      ...(input.blocked_categories && { blockedCategories: input.blocked_categories }),
      ...(input.blocked_advertisers && { blockedAdvertisers: input.blocked_advertisers }),
      updatedAt: clock.now(),
    },
  });
  if (!row) throw notFound("channel", input.id);
  return channelOf(row);
}
