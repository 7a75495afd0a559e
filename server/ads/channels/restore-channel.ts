import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { lockLimit } from "../../identity/quotas/quota.sql";
import { notFound } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { ownRowsOrArchived } from "../own-rows";
import { Channel, channelOf, channelTarget } from "./channel";
import { channelExample } from "./channel.example";
import { lockChannel } from "./channel.sql";
import { CHANNELS_QUOTA } from "./channels.quotas";

/**
 * Restores an archived channel with its settings. Its keys stay revoked: a revocation is permanent, so that a leaked
 * key never works again. A channel that is not archived is returned unchanged. Throws `not_found` and `quota_exceeded`.
 */
export const restoreChannel = operation({
  id: "restoreChannel",
  summary: "Restore an archived channel",
  description:
    "The keys that were revoked with the channel stay revoked; create new ones. A channel that is not archived is returned unchanged.",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: Channel,
  example: { input: { id: channelExample.id }, output: channelExample },
  run: (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    return db.$transaction(async (tx) => {
      // Before the channel, in the same order as creations, so that the two cannot deadlock.
      await lockLimit(tx, actor.tenantId, CHANNELS_QUOTA.resource);
      await lockChannel(tx, input.id);
      const before = await tx.channel.findFirst({ where: { id: input.id, ...ownRowsOrArchived(actor) } });
      if (!before) throw notFound("channel", input.id);
      if (before.archivedAt === null) return channelOf(before);
      await assertQuota(tx, actor, CHANNELS_QUOTA);
      const row = await tx.channel.update({
        where: { id: before.id },
        data: { archivedAt: null, updatedAt: clock.now() },
      });
      await recordAudit(tx, ctx, { action: "channel.restored", targets: [channelTarget(row)] });
      return channelOf(row);
    });
  },
});
