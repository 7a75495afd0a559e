import { z } from "zod";
import type { ChannelKey as ChannelKeyRow } from "../../engines/postgres/generated/client";
import type { AuditTarget } from "../../identity/audit/record-audit";
import { toWire } from "../../kernel/to-wire";

export const channelKeyKind = z.enum(["server", "browser"]);

/** A channel's key. Only a public one is included as text. */
export const ChannelKey = z
  .object({
    id: z.string().meta({ examples: ["chk_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    channel_id: z.string(),
    kind: channelKeyKind,
    last_four: z.string().describe("The key's last four characters"),
    key: z
      .string()
      .nullable()
      .describe(
        "The whole key of kind `browser`, which is public; null for `server`, and for browser keys created before svc stored their text",
      ),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "ChannelKey" });
export type ChannelKey = z.infer<typeof ChannelKey>;

/** A channel's key as returned on creation, the only time that a server key is included. */
export const CreatedChannelKey = ChannelKey.extend({
  key: z
    .string()
    .describe(
      "The whole key. `svc_srv_` keys are secret, for servers, and returned only here; `svc_pub_` keys may appear in a page",
    )
    .meta({ examples: [`svc_pub_${"a2".repeat(24)}`] }),
}).meta({ id: "CreatedChannelKey" });
export type CreatedChannelKey = z.infer<typeof CreatedChannelKey>;

export const channelKeyTarget = ({ id, lastFour }: ChannelKeyRow): AuditTarget => ({
  type: "channel_key",
  id,
  name: `…${lastFour}`,
});

export const channelKeyOf = (row: ChannelKeyRow): ChannelKey =>
  toWire(ChannelKey, row, {
    key: row.browserKey,
  });
