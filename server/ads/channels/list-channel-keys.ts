import { z } from "zod";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { listScope, olderThan } from "../own-rows";
import { ownChannel } from "./channel";
import { type ChannelKey, channelKeyOf } from "./channel-key";

export const ListChannelKeys = z.strictObject({ id, ...PageQuery.shape });

/** A channel's keys, revoked ones too, newest first. Throws `not_found` for the channel. */
export async function listChannelKeys(ctx: AdsCtx, input: z.output<typeof ListChannelKeys>): Promise<Page<ChannelKey>> {
  const channel = await ownChannel(ctx, input.id);
  return fetchPage(listScope(ctx, "channel_keys", { channel: channel.id }), input, async ({ after, take }) => {
    const rows = await ctx.db.channelKey.findMany({
      where: { channelId: channel.id, ...olderThan(after) },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(channelKeyOf);
  });
}
