import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { notFound } from "../../kernel/errors";
import { EXAMPLE_LATER } from "../../operation/example";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { channelTarget, ownChannel } from "./channel";
import { channelExample, channelKeyExample } from "./channel.example";
import { ChannelKey, channelKeyOf, channelKeyTarget } from "./channel-key";

/**
 * Revokes a key permanently. Revoking it again changes nothing and returns the time of the first revocation. Throws
 * `not_found` for the channel or the key.
 */
export const revokeChannelKey = operation({
  id: "revokeChannelKey",
  summary: "Permanently revoke a channel key",
  access: "ads:write",
  input: z.strictObject({ id, key_id: id }),
  output: ChannelKey,
  example: {
    input: { id: channelExample.id, key_id: channelKeyExample.id },
    output: { ...channelKeyExample, revoked_at: EXAMPLE_LATER },
  },
  run: (ctx: ActorCtx, input) => {
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
  },
});
