import { z } from "zod";
import { requirePerson } from "../../identity/actors/require-team-role";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { Channel, channelOf, ownChannel } from "./channel";
import { channelExample } from "./channel.example";
import { CHANNELS_QUOTA } from "./channels.quotas";
import { createChannel } from "./create-channel";

export const CopyChannel = z.strictObject({ id });

/**
 * Copies the settings of a test channel into a new live channel, without keys. Only people can: a key sees one mode.
 * Throws `not_found`, `conflict` for a live channel, and `quota_exceeded`.
 */
export const copyChannel = operation({
  id: "copyChannel",
  summary: "Copy a test channel to live mode",
  access: "ads:write",
  result: "created",
  quota: CHANNELS_QUOTA,
  input: CopyChannel,
  output: Channel,
  example: { input: { id: channelExample.id }, output: channelExample },
  run: async (ctx: ActorCtx, input) => {
    requirePerson(ctx.actor);
    const row = await ownChannel(ctx, input.id);
    if (row.mode === "live") throw new ServiceError("conflict", "This channel is in live mode already.");
    const { id: _, created_at, updated_at, ...settings } = channelOf(row);
    return createChannel.run(ctx, { ...settings, mode: "live" });
  },
});
