import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { newId, randomBase32 } from "../../kernel/ids";
import { sha256 } from "../../kernel/secrets";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { channelTarget, ownChannel } from "./channel";
import { channelExample, channelKeyExample } from "./channel.example";
import { lockChannel } from "./channel.sql";
import { CreatedChannelKey, channelKeyKind, channelKeyOf, channelKeyTarget } from "./channel-key";

const ACTIVE_KEYS_MAX = 20;
const PREFIX = { server: "svc_srv_", browser: "svc_pub_" } as const;
const SECRET_LENGTH = 48;

/**
 * Creates a key for a channel: a prefix and 48 characters of `[a-z2-7]` (240 bits). Of a server key only the SHA-256 and
 * the last four characters are stored, of a browser key also its text. Throws `not_found`, and `quota_exceeded` for the
 * 21st active key.
 */
export const createChannelKey = operation({
  id: "createChannelKey",
  summary: "Create a channel key; a server key is returned only once",
  access: "ads:write",
  idempotent: true,
  result: "created",
  input: z.strictObject({
    id,
    kind: channelKeyKind.describe(
      "A browser key works only on the channel's origins, so it does not work until the channel has one",
    ),
  }),
  output: CreatedChannelKey,
  example: { input: { id: channelExample.id, kind: "server" }, output: { ...channelKeyExample, key: "svc_srv_…" } },
  run: (ctx: Pick<ActorCtx, "db" | "clock" | "actor" | "request">, input) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    const key = PREFIX[input.kind] + randomBase32(SECRET_LENGTH);
    return db.$transaction(async (tx) => {
      await lockChannel(tx, input.id);
      const channel = await ownChannel({ db: tx, actor }, input.id);
      const active = await tx.channelKey.count({ where: { channelId: channel.id, revokedAt: null } });
      if (active >= ACTIVE_KEYS_MAX) throw tooManyKeys();
      const row = await tx.channelKey.create({
        data: {
          id: newId("chk", now.getTime()),
          channelId: channel.id,
          kind: input.kind,
          hash: sha256(key),
          lastFour: key.slice(-4),
          browserKey: input.kind === "browser" ? key : null,
          createdAt: now,
        },
      });
      await recordAudit(tx, ctx, {
        action: "channel_key.created",
        targets: [channelKeyTarget(row), channelTarget(channel)],
        details: { kind: row.kind },
      });
      return { ...channelKeyOf(row), key };
    });
  },
});

const tooManyKeys = (): ServiceError =>
  new ServiceError(
    "quota_exceeded",
    `A channel has at most ${ACTIVE_KEYS_MAX} active keys; revoke an unused one first.`,
    { details: { limit: ACTIVE_KEYS_MAX } },
  );
