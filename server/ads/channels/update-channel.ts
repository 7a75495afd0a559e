import { z } from "zod";
import { recordUpdate } from "../../identity/audit/record-update";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { id, name } from "../fields";
import {
  Channel,
  channelFields,
  channelOf,
  channelTarget,
  networkChoice,
  ownChannel,
  strictnessChoice,
} from "./channel";
import { channelExample } from "./channel.example";
import { lockChannel } from "./channel.sql";

/** Changes the given fields; a list replaces the previous one. Throws `not_found`. */
export const updateChannel = operation({
  id: "updateChannel",
  summary: "Update a channel",
  access: "ads:write",
  input: z.strictObject({
    id,
    name: name.optional(),
    origins: channelFields.origins.optional(),
    categories: channelFields.categories.optional(),
    blocked_categories: channelFields.blocked_categories.optional(),
    blocked_advertisers: channelFields.blocked_advertisers.optional(),
    network: networkChoice.optional(),
    approved_advertisers: channelFields.approved_advertisers.optional(),
    strictness: strictnessChoice.optional(),
  }),
  output: Channel,
  example: {
    input: { id: channelExample.id, name: "Outdoor weekly" },
    output: { ...channelExample, name: "Outdoor weekly" },
  },
  run: (ctx: ActorCtx, input) => {
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
          ...(input.network && { network: input.network }),
          ...(input.approved_advertisers && { approvedAdvertisers: input.approved_advertisers }),
          ...(input.strictness && { strictness: input.strictness }),
          updatedAt: clock.now(),
        },
      });
      const after = channelOf(row);
      await recordUpdate(tx, ctx, { target: channelTarget(row), before: channelOf(before), after });
      return after;
    });
  },
});
