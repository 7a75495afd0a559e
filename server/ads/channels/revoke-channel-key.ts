import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { channelTarget, ownChannel } from "./channel";
import { type ChannelKey, channelKeyOf, channelKeyTarget } from "./channel-key";

export const RevokeChannelKey = z.strictObject({ id, key_id: id });

/**
 * Ends a key for good. Revoking it again changes nothing and answers the first time of revocation.
 * Throws `not_found` for the channel or the key.
 */
export function revokeChannelKey(ctx: AdsCtx, input: z.output<typeof RevokeChannelKey>): Promise<ChannelKey> {
  const { db, clock, actor } = ctx;
  return db.$transaction(async (tx) => {
    const channel = await ownChannel({ db: tx, actor }, input.id);
    const key = { id: input.key_id, channelId: channel.id };
    const { count } = await tx.channelKey.updateMany({
      where: { ...key, revokedAt: null },
      data: { revokedAt: clock.now() },
    });
    const row = await tx.channelKey.findFirst({ where: key });
    if (!row) throw notFound("channel key", input.key_id);
    if (count > 0) {
      const targets = [channelKeyTarget(row), channelTarget(channel)];
      await recordAudit(tx, ctx, { action: "channel_key.revoked", targets });
    }
    return channelKeyOf(row);
  });
}
