import { z } from "zod";
import type { Channel as ChannelRow, Prisma } from "../../engines/postgres/generated/client";
import type { Actor } from "../../identity/actors/actor";
import type { AuditTarget } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import { category, mode, setOf, text } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { origin } from "./origin";

/** A publisher's surface: a site, an app, a chat. */
export const Channel = z
  .object({
    id: z.string().meta({ examples: ["chn_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    mode,
    name: z.string(),
    origins: z.array(z.string()).describe("Where browser keys work; without any they work nowhere"),
    categories: z.array(z.string()).describe("What the channel is about; campaigns that name categories need one"),
    blocked_categories: z.array(z.string()),
    blocked_advertisers: z.array(z.string()).describe("Ids, domains or names of advertisers"),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Channel" });
export type Channel = z.infer<typeof Channel>;

/** The fields of a channel that a caller sets, without their defaults. */
export const channelFields = {
  origins: setOf(origin, 50).describe("`scheme://host[:port]`; `*` is refused"),
  categories: setOf(category, 100),
  blocked_categories: setOf(category, 100),
  blocked_advertisers: setOf(text(200), 500).describe("Ids, domains or names of advertisers, in any case"),
};

export const channelOf = (row: ChannelRow): Channel => ({
  id: row.id,
  mode: row.mode,
  name: row.name,
  origins: row.origins,
  categories: row.categories,
  blocked_categories: row.blockedCategories,
  blocked_advertisers: row.blockedAdvertisers,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const channelTarget = ({ id, name }: Pick<ChannelRow, "id" | "name">): AuditTarget => ({
  type: "channel",
  id,
  name,
});

/** The actor's live channel with this id. Throws `not_found` for a foreign, archived or other-mode one too. */
export async function ownChannel(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  id: string,
): Promise<ChannelRow> {
  const row = await db.channel.findFirst({ where: { id, ...ownRowsOfMode(actor) } });
  if (!row) throw notFound("channel", id);
  return row;
}
