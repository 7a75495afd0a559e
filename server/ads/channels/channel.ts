import { z } from "zod";
import type { Channel as ChannelRow, Prisma } from "../../engines/postgres/generated/client";
import { targetOf } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import { toWire } from "../../kernel/to-wire";
import type { Actor } from "../../operation/actor";
import { category, mode, setOf, text } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { origin } from "./origin";

export const networkChoice = z
  .enum(["all", "approved", "own"])
  .describe(
    "Campaigns of other tenants on this channel: `all` that are eligible, only those of `approved_advertisers`, or none (`own`), including house offers",
  );

export const strictnessChoice = z
  .enum(["relaxed", "balanced", "strict"])
  .describe(
    "How sure svc must be that an offer fits the request before it is shown: `relaxed` fills more requests and shows more offers that do not fit, `strict` leaves more requests empty and shows fewer of them, `balanced` is between the two. A change applies to new requests within seconds",
  );

/** A publisher's surface: a site, an app or a chat. */
export const Channel = z
  .object({
    id: z.string().meta({ examples: ["chn_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    mode,
    name: z.string(),
    origins: z.array(z.string()).describe("The origins on which browser keys work; if empty, browser keys do not work"),
    categories: z
      .array(z.string())
      .describe("What the channel is about; campaigns that target categories require a match"),
    blocked_categories: z.array(z.string()),
    blocked_advertisers: z.array(z.string()).describe("Ids, domains or names of advertisers"),
    network: networkChoice,
    approved_advertisers: z.array(z.string()).describe("Ids, domains or names of advertisers"),
    strictness: strictnessChoice,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Channel" });
export type Channel = z.infer<typeof Channel>;

/** The fields of a channel that the client sets, without defaults. */
export const channelFields = {
  origins: setOf(origin, 50).describe("`scheme://host[:port]`; `*` is rejected"),
  categories: setOf(category, 100),
  blocked_categories: setOf(category, 100),
  blocked_advertisers: setOf(text(200), 500).describe("Ids, domains or names of advertisers, case-insensitive"),
  approved_advertisers: setOf(text(200), 500).describe("Ids, domains or names of advertisers, case-insensitive"),
};

export const channelOf = (row: ChannelRow): Channel => toWire(Channel, row, {});

export const channelTarget = targetOf("channel");

/**
 * Returns the actor's channel with this id. Throws `not_found` also if it is archived, belongs to another tenant or has
 * another mode.
 */
export async function ownChannel(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  id: string,
): Promise<ChannelRow> {
  const row = await db.channel.findFirst({ where: { id, ...ownRowsOfMode(actor) } });
  if (!row) throw notFound("channel", id);
  return row;
}
