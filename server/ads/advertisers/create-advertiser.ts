import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { newId } from "../../kernel/ids";
import { modeOf } from "../../operation/actor";
import { operation } from "../ads-operation";
import { modeChoice, name } from "../fields";
import { requireKnownRefs } from "../network-channels/require-known-refs";
import { Advertiser, advertiserFields, advertiserOf, advertiserTarget } from "./advertiser";
import { advertiserExample, newAdvertiserExample } from "./advertiser.example";
import type { AdvertiserCtx } from "./advertiser-ctx";
import { ADVERTISERS_QUOTA } from "./advertisers.quotas";

/** Creates an advertiser in the actor's mode. Throws `quota_exceeded`, and `invalid_request` for unknown channels. */
export const createAdvertiser = operation({
  id: "createAdvertiser",
  summary: "Create an advertiser",
  access: "ads:write",
  idempotent: true,
  result: "created",
  quota: ADVERTISERS_QUOTA,
  input: z.strictObject({ mode: modeChoice, name, ...advertiserFields }),
  output: Advertiser,
  example: { input: newAdvertiserExample, output: advertiserExample },
  run: async (ctx: ActorCtx & Pick<AdvertiserCtx, "automaticReview" | "channelRefs" | "clickhouse">, input) => {
    const { db, clock, actor, automaticReview } = ctx;
    if (input.blocked_channels?.length) await requireKnownRefs(ctx, input.blocked_channels);
    const now = clock.now();
    return db.$transaction(async (tx) => {
      const row = await tx.advertiser.create({
        data: {
          id: newId("adv", now.getTime()),
          tenantId: actor.tenantId,
          mode: modeOf(actor, input.mode),
          name: input.name,
          domain: input.domain ?? null,
          iconUrl: input.icon_url ?? null,
          blockedChannels: input.blocked_channels ?? [],
          blockedDomains: input.blocked_domains ?? [],
          pixelValueMaxMicros: input.pixel_value_max_micros ?? null,
          createdAt: now,
          updatedAt: now,
        },
      });
      await recordAudit(tx, ctx, { action: "advertiser.created", targets: [advertiserTarget(row)] });
      return advertiserOf(row, automaticReview);
    });
  },
});
