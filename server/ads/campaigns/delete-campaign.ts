import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";

export const DeleteCampaign = z.strictObject({ id });

/**
 * Archives a campaign: it stops serving, its creatives and products can no longer be reached, its reports stay.
 * Throws `not_found`, for one that is archived already too.
 */
export async function deleteCampaign(
  { db, clock, actor }: AdsCtx,
  input: z.output<typeof DeleteCampaign>,
): Promise<void> {
  const now = clock.now();
  const { count } = await db.campaign.updateMany({
    where: { id: input.id, ...ownRowsOfMode(actor) },
    data: { archivedAt: now, updatedAt: now },
  });
  if (count === 0) throw notFound("campaign", input.id);
}
