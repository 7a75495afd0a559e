import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { Advertiser, advertiserOf, advertiserTarget, ownAdvertiser } from "./advertiser";
import { advertiserExample } from "./advertiser.example";
import { lockAdvertiser } from "./advertiser.sql";
import type { AdvertiserCtx } from "./advertiser-ctx";

/**
 * Adds an advertiser to the operator's review queue; an approved or queued advertiser is not changed. Throws
 * `not_found`, and `conflict` while its domain is not verified.
 */
export const requestReview = operation({
  id: "requestAdvertiserReview",
  summary: "Request a review of an advertiser",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: Advertiser,
  example: { input: { id: advertiserExample.id }, output: { ...advertiserExample, review: "pending" } },
  run: (ctx: ActorCtx & Pick<AdvertiserCtx, "automaticReview">, input) => {
    const { db, clock, actor, automaticReview } = ctx;
    return db.$transaction(async (tx) => {
      await lockAdvertiser(tx, input.id);
      const before = await ownAdvertiser({ db: tx, actor }, input.id);
      if (before.review === "approved" || before.review === "pending") return advertiserOf(before, automaticReview);
      if (before.domainVerifiedAt === null) throw unverified();
      const row = await tx.advertiser.update({
        where: { id: before.id },
        data: { review: "pending", updatedAt: clock.now() },
      });
      await recordAudit(tx, ctx, { action: "advertiser.review_requested", targets: [advertiserTarget(row)] });
      return advertiserOf(row, automaticReview);
    });
  },
});

const unverified = (): ServiceError =>
  new ServiceError("conflict", "Verify the advertiser's domain before you request a review.", {
    param: "id",
    details: { reason: "domain_not_verified" },
  });
