import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { notFound } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { channelTarget } from "./channel";
import { channelExample } from "./channel.example";

/**
 * Archives a channel and revokes its keys in one transaction, so that it can no longer serve; its reports remain.
 * Throws `not_found`, also if it is already archived.
 */
export const deleteChannel = operation({
  id: "deleteChannel",
  summary: "Archive a channel and revoke its keys",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: z.void(),
  example: { input: { id: channelExample.id }, output: undefined },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    await db.$transaction(async (tx) => {
      const [channel] = await tx.channel.updateManyAndReturn({
        where: { id: input.id, ...ownRowsOfMode(actor) },
        data: { archivedAt: now, updatedAt: now },
      });
      if (!channel) throw notFound("channel", input.id);
      const keys = await tx.channelKey.updateMany({
        where: { channelId: input.id, revokedAt: null },
        data: { revokedAt: now },
      });
      await recordAudit(tx, ctx, {
        action: "channel.archived",
        targets: [channelTarget(channel)],
        details: { revoked_keys: keys.count },
      });
    });
  },
});
