import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";

export const DeleteChannel = z.strictObject({ id });

/**
 * Archives a channel and revokes its keys in one transaction, so that nothing can serve on it any more; its reports
 * stay. Throws `not_found`, for one that is archived already too.
 */
export async function deleteChannel(
  { db, clock, actor }: AdsCtx,
  input: z.output<typeof DeleteChannel>,
): Promise<void> {
  const now = clock.now();
  await db.$transaction(async (tx) => {
    const { count } = await tx.channel.updateMany({
      where: { id: input.id, ...ownRowsOfMode(actor) },
      data: { archivedAt: now, updatedAt: now },
    });
    if (count === 0) throw notFound("channel", input.id);
    await tx.channelKey.updateMany({ where: { channelId: input.id, revokedAt: null }, data: { revokedAt: now } });
  });
}
