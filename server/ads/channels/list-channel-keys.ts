import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { olderThan } from "../own-rows";
import { ownChannel } from "./channel";
import { channelExample, channelKeyExample } from "./channel.example";
import { ChannelKey, channelKeyOf } from "./channel-key";

/** Lists a channel's keys, including revoked ones, newest first. Throws `not_found` for the channel. */
export const listChannelKeys = operation({
  id: "listChannelKeys",
  summary: "List a channel's keys",
  access: "ads:read",
  input: z.strictObject({ id, ...PageQuery.shape }),
  output: pageOf(ChannelKey),
  example: { input: { id: channelExample.id, limit: 50 }, output: examplePage(channelKeyExample) },
  run: async (ctx: ActorCtx, input) => {
    const channel = await ownChannel(ctx, input.id);
    return fetchPage(listScope(ctx, "channel_keys", { channel: channel.id }), input, async ({ after, take }) => {
      const rows = await ctx.db.channelKey.findMany({
        where: { channelId: channel.id, ...olderThan(after) },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(channelKeyOf);
    });
  },
});
