import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownChannel } from "./channel";
import { type ChannelKey, channelKeyOf } from "./channel-key";

export const RevokeChannelKey = z.strictObject({ id, key_id: id });

/**
 * Ends a key for good. Revoking it again changes nothing and answers the first time of revocation.
 * Throws `not_found` for the channel or the key.
 */
export async function revokeChannelKey(ctx: AdsCtx, input: z.output<typeof RevokeChannelKey>): Promise<ChannelKey> {
  const channel = await ownChannel(ctx, input.id);
  const key = { id: input.key_id, channelId: channel.id };
  await ctx.db.channelKey.updateMany({ where: { ...key, revokedAt: null }, data: { revokedAt: ctx.clock.now() } });
  const row = await ctx.db.channelKey.findFirst({ where: key });
  if (!row) throw notFound("channel key", input.key_id);
  return channelKeyOf(row);
}
