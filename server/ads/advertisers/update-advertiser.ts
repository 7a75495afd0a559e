import { z } from "zod";
import { recordUpdate } from "../../identity/audit/record-update";
import type { ActorCtx } from "../../identity/identity-ctx";
import { operation } from "../ads-operation";
import { id, name } from "../fields";
import { requireKnownRefs } from "../network-channels/require-known-refs";
import { Advertiser, advertiserFields, advertiserOf, advertiserTarget, ownAdvertiser } from "./advertiser";
import { advertiserExample } from "./advertiser.example";
import { lockAdvertiser } from "./advertiser.sql";
import type { AdvertiserCtx } from "./advertiser-ctx";

export const UpdateAdvertiser = z.strictObject({ id, name: name.optional(), ...advertiserFields });

/**
 * Changes the given fields; `null` clears an optional field. A new domain must be verified again, and an approved
 * advertiser must be reviewed again if what visitors see of it changes. Throws `not_found`, and `invalid_request` for
 * unknown channels.
 */
export const updateAdvertiser = operation({
  id: "updateAdvertiser",
  summary: "Update an advertiser",
  access: "ads:write",
  input: UpdateAdvertiser,
  output: Advertiser,
  example: {
    input: { id: advertiserExample.id, name: "Fjell AS" },
    output: { ...advertiserExample, name: "Fjell AS" },
  },
  run: async (ctx: ActorCtx & Pick<AdvertiserCtx, "automaticReview" | "channelRefs" | "clickhouse">, input) => {
    const { db, clock, actor, automaticReview } = ctx;
    if (input.blocked_channels?.length) await requireKnownRefs(ctx, input.blocked_channels);
    return db.$transaction(async (tx) => {
      await lockAdvertiser(tx, input.id);
      const before = await ownAdvertiser({ db: tx, actor }, input.id);
      const changed = columnsOf(input);
      const isNewDomain = changed.domain !== undefined && changed.domain !== before.domain;
      const isVisibleChange = SHOWN.some((field) => changed[field] !== undefined && changed[field] !== before[field]);
      const row = await tx.advertiser.update({
        where: { id: before.id },
        data: {
          ...changed,
          ...(isNewDomain && { domainVerifiedAt: null }),
          ...(before.review === "approved" && isVisibleChange && { review: "pending" as const }),
          updatedAt: clock.now(),
        },
      });
      const after = advertiserOf(row, automaticReview);
      await recordUpdate(tx, ctx, {
        target: advertiserTarget(row),
        before: advertiserOf(before, automaticReview),
        after,
      });
      return after;
    });
  },
});

/** What visitors see of an advertiser next to an offer. */
const SHOWN = ["name", "domain", "iconUrl"] as const;

const columnsOf = ({ name, domain, icon_url, ...rest }: z.output<typeof UpdateAdvertiser>) => ({
  ...(name !== undefined && { name }),
  ...(domain !== undefined && { domain }),
  ...(icon_url !== undefined && { iconUrl: icon_url }),
  ...(rest.pixel_value_max_micros !== undefined && { pixelValueMaxMicros: rest.pixel_value_max_micros }),
  ...(rest.blocked_channels && { blockedChannels: rest.blocked_channels }),
  ...(rest.blocked_domains && { blockedDomains: rest.blocked_domains }),
});
