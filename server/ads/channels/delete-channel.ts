import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { channelTarget } from "./channel";

export const DeleteChannel = z.strictObject({ id });

/**
 * Archives a channel and revokes its keys in one transaction, so that nothing can serve on it any more; its reports
 * stay. Throws `not_found`, for one that is archived already too.
 */
export async function deleteChannel(ctx: AdsCtx, input: z.output<typeof DeleteChannel>): Promise<void> {
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
}
