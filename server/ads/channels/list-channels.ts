import { z } from "zod";
import type { ActorCtx } from "../../identity/identity-ctx";
import { listScope } from "../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import { operation } from "../ads-operation";
import { modeChoice } from "../fields";
import { olderThan, ownRows } from "../own-rows";
import { Channel, channelOf } from "./channel";
import { channelExample } from "./channel.example";

/** Lists the tenant's channels of one mode, newest first. */
export const listChannels = operation({
  id: "listChannels",
  summary: "List channels",
  access: "ads:read",
  input: z.strictObject({ ...PageQuery.shape, mode: modeChoice }),
  output: pageOf(Channel),
  example: { input: { limit: 50 }, output: examplePage(channelExample) },
  run: (ctx: ActorCtx, input) => {
    const mode = modeOf(ctx.actor, input.mode);
    return fetchPage(listScope(ctx, "channels", { mode }), input, async ({ after, take }) => {
      const rows = await ctx.db.channel.findMany({
        where: { ...ownRows(ctx.actor), mode, ...olderThan(after) },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(channelOf);
    });
  },
});
