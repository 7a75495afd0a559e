import { z } from "zod";
import { modeOf } from "../../identity/actors/actor";
import { fetchPage, type Page, PageQuery } from "../../kernel/page";
import type { AdsCtx } from "../ads-ctx";
import { modeChoice } from "../fields";
import { listScope, olderThan, ownRows } from "../own-rows";
import { type Channel, channelOf } from "./channel";

export const ListChannels = z.strictObject({ ...PageQuery.shape, mode: modeChoice });

/** The tenant's channels of one mode, newest first. */
export function listChannels(ctx: AdsCtx, input: z.output<typeof ListChannels>): Promise<Page<Channel>> {
  const mode = modeOf(ctx.actor, input.mode);
  return fetchPage(listScope(ctx, "channels", { mode }), input, async ({ after, take }) => {
    const rows = await ctx.db.channel.findMany({
      where: { ...ownRows(ctx.actor), mode, ...olderThan(after) },
      orderBy: { id: "desc" },
      take,
    });
    return rows.map(channelOf);
  });
}
