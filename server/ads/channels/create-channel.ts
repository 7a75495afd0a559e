import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { recordAudit } from "../../identity/audit/record-audit";
import { requireRoom } from "../../identity/quotas/require-room";
import { newId } from "../../kernel/ids";
import type { AdsCtx } from "../ads-ctx";
import { modeChoice, name } from "../fields";
import { type Channel, channelFields, channelOf, channelTarget } from "./channel";

export const CreateChannel = z.strictObject({
  mode: modeChoice,
  name,
  origins: channelFields.origins.default([]),
  categories: channelFields.categories.default([]),
  blocked_categories: channelFields.blocked_categories.default([]),
  blocked_advertisers: channelFields.blocked_advertisers.default([]),
});

/** Creates a channel in the actor's mode; it serves nothing until it has a key. Throws `quota_exceeded`. */
export function createChannel(ctx: AdsCtx, input: z.output<typeof CreateChannel>): Promise<Channel> {
  const { db, clock, actor } = ctx;
  const now = clock.now();
  return db.$transaction(async (tx) => {
    await requireRoom(tx, actor, "channels");
    const row = await tx.channel.create({
      data: {
        id: newId("chn", now.getTime()),
        tenantId: actor.tenantId,
        mode: modeOf(actor, input.mode),
        name: input.name,
        origins: input.origins,
        categories: input.categories,
        blockedCategories: input.blocked_categories,
        blockedAdvertisers: input.blocked_advertisers,
        createdAt: now,
        updatedAt: now,
      },
    });
    await recordAudit(tx, ctx, { action: "channel.created", targets: [channelTarget(row)] });
    return channelOf(row);
  });
}
