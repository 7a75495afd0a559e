import type { FindKeys } from "../../identity/request-counts/request-count";

/** Finds channel keys; they have the name of their channel. */
export const findChannelKeys: FindKeys = async (db, { tenantId, ids }) => {
  const rows = await db.channelKey.findMany({
    where: { id: { in: [...ids] }, channel: { tenantId } },
    include: { channel: { select: { name: true, mode: true } } },
  });
  return rows.map(({ id, kind, channelId, lastFour, revokedAt, channel: { name, mode } }) => ({
    id,
    mode,
    kind,
    parentId: channelId,
    name,
    lastFour,
    revokedAt,
  }));
};
