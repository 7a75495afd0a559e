import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { notFound, ServiceError } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownRows } from "../own-rows";
import { advertiserTarget } from "./advertiser";

export const DeleteAdvertiser = z.strictObject({ id });

/**
 * Archives an advertiser. Refused (`conflict`) while it has campaigns that are not archived, of either mode: an
 * advertiser has no mode, so taking its campaigns along would let a test key stop live ones. Throws `not_found`.
 */
export async function deleteAdvertiser(ctx: AdsCtx, input: z.output<typeof DeleteAdvertiser>): Promise<void> {
  const { db, clock, actor } = ctx;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    // Archived first and counted after: createCampaign locks this row, so no campaign can appear in between.
    const [advertiser] = await tx.advertiser.updateManyAndReturn({
      where: { id: input.id, ...ownRows(actor) },
      data: { archivedAt: now, updatedAt: now },
    });
    if (!advertiser) throw notFound("advertiser", input.id);
    const campaigns = await tx.campaign.count({ where: { advertiserId: input.id, archivedAt: null } });
    if (campaigns > 0) throw stillInUse(campaigns);
    await recordAudit(tx, ctx, { action: "advertiser.archived", targets: [advertiserTarget(advertiser)] });
  });
}

const stillInUse = (campaigns: number): ServiceError =>
  new ServiceError("conflict", "This advertiser still has campaigns; delete those of both modes first.", {
    param: "id",
    details: { reason: "has_campaigns", campaigns },
  });
