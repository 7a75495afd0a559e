import { z } from "zod";
import { recordUpdate } from "../../identity/audit/record-update";
import type { AdsCtx } from "../ads-ctx";
import { id, name } from "../fields";
import { type Channel, channelFields, channelOf, channelTarget, ownChannel } from "./channel";
import { lockChannel } from "./channel.sql";

export const UpdateChannel = z.strictObject({
  id,
  name: name.optional(),
  origins: channelFields.origins.optional(),
  categories: channelFields.categories.optional(),
  blocked_categories: channelFields.blocked_categories.optional(),
  blocked_advertisers: channelFields.blocked_advertisers.optional(),
});

/** Changes the fields that are given; a list replaces the one before. Throws `not_found`. */
export function updateChannel(ctx: AdsCtx, input: z.output<typeof UpdateChannel>): Promise<Channel> {
  const { db, clock, actor } = ctx;
  return db.$transaction(async (tx) => {
    await lockChannel(tx, input.id);
    const before = await ownChannel({ db: tx, actor }, input.id);
    const row = await tx.channel.update({
      where: { id: before.id },
      data: {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.origins && { origins: input.origins }),
        ...(input.categories && { categories: input.categories }),
        ...(input.blocked_categories && { blockedCategories: input.blocked_categories }),
        ...(input.blocked_advertisers && { blockedAdvertisers: input.blocked_advertisers }),
        updatedAt: clock.now(),
      },
    });
    const after = channelOf(row);
    await recordUpdate(tx, ctx, { target: channelTarget(row), before: channelOf(before), after });
    return after;
  });
}
