import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { newId } from "../../kernel/ids";
import { modeOf } from "../../operation/actor";
import { operation } from "../ads-operation";
import { modeChoice, name } from "../fields";
import { Channel, channelFields, channelOf, channelTarget, networkChoice, strictnessChoice } from "./channel";
import { channelExample, newChannelExample } from "./channel.example";
import { CHANNELS_QUOTA } from "./channels.quotas";

/** Creates a channel in the actor's mode; it serves nothing until it has a key. Throws `quota_exceeded`. */
export const createChannel = operation({
  id: "createChannel",
  summary: "Create a channel",
  access: "ads:write",
  idempotent: true,
  result: "created",
  quota: CHANNELS_QUOTA,
  input: z.strictObject({
    mode: modeChoice,
    name,
    origins: channelFields.origins.default([]),
    categories: channelFields.categories.default([]),
    blocked_categories: channelFields.blocked_categories.default([]),
    blocked_advertisers: channelFields.blocked_advertisers.default([]),
    network: networkChoice.default("all"),
    approved_advertisers: channelFields.approved_advertisers.default([]),
    strictness: strictnessChoice.default("balanced"),
  }),
  output: Channel,
  example: { input: newChannelExample, output: channelExample },
  run: (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    return db.$transaction(async (tx) => {
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
          network: input.network,
          approvedAdvertisers: input.approved_advertisers,
          strictness: input.strictness,
          createdAt: now,
          updatedAt: now,
        },
      });
      await recordAudit(tx, ctx, { action: "channel.created", targets: [channelTarget(row)] });
      return channelOf(row);
    });
  },
});
