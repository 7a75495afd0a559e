import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { assertQuota } from "../../identity/quotas/assert-quota";
import { lockLimit } from "../../identity/quotas/quota.sql";
import { notFound } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { ownRowsOrArchived } from "../own-rows";
import { Advertiser, advertiserOf, advertiserTarget } from "./advertiser";
import { advertiserExample } from "./advertiser.example";
import { lockAdvertiser } from "./advertiser.sql";
import type { AdvertiserCtx } from "./advertiser-ctx";
import { ADVERTISERS_QUOTA } from "./advertisers.quotas";

/**
 * Restores an archived advertiser, with its review and verified domain; nothing of it could change meanwhile. One that
 * is not archived is returned unchanged. Throws `not_found` and `quota_exceeded`.
 */
export const restoreAdvertiser = operation({
  id: "restoreAdvertiser",
  summary: "Restore an archived advertiser",
  description:
    "Its campaigns were archived before it and stay archived. An advertiser that is not archived is returned unchanged.",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: Advertiser,
  example: { input: { id: advertiserExample.id }, output: advertiserExample },
  run: (ctx: ActorCtx & Pick<AdvertiserCtx, "automaticReview">, input) => {
    const { db, clock, actor, automaticReview } = ctx;
    return db.$transaction(async (tx) => {
      // Before the advertiser, in the same order as creations, so that the two cannot deadlock.
      await lockLimit(tx, actor.tenantId, ADVERTISERS_QUOTA.resource);
      await lockAdvertiser(tx, input.id);
      const before = await tx.advertiser.findFirst({ where: { id: input.id, ...ownRowsOrArchived(actor) } });
      if (!before) throw notFound("advertiser", input.id);
      if (before.archivedAt === null) return advertiserOf(before, automaticReview);
      await assertQuota(tx, actor, ADVERTISERS_QUOTA);
      const row = await tx.advertiser.update({
        where: { id: before.id },
        data: { archivedAt: null, updatedAt: clock.now() },
      });
      await recordAudit(tx, ctx, { action: "advertiser.restored", targets: [advertiserTarget(row)] });
      return advertiserOf(row, automaticReview);
    });
  },
});
