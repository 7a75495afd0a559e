import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { notFound, ServiceError } from "../../kernel/errors";
import { operation } from "../ads-operation";
import { id } from "../fields";
import { ownRowsOfMode } from "../own-rows";
import { advertiserTarget } from "./advertiser";
import { advertiserExample } from "./advertiser.example";

/** Archives an advertiser. Throws `not_found`, and `conflict` while it has campaigns that are not archived. */
export const deleteAdvertiser = operation({
  id: "deleteAdvertiser",
  summary: "Archive an advertiser without campaigns",
  access: "ads:write",
  input: z.strictObject({ id }),
  output: z.void(),
  example: { input: { id: advertiserExample.id }, output: undefined },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    const now = clock.now();
    await db.$transaction(async (tx) => {
      // Archive first, then count: createCampaign locks this row, so no campaign can be created in between.
      const [advertiser] = await tx.advertiser.updateManyAndReturn({
        where: { id: input.id, ...ownRowsOfMode(actor) },
        data: { archivedAt: now, updatedAt: now },
      });
      if (!advertiser) throw notFound("advertiser", input.id);
      const campaigns = await tx.campaign.count({ where: { advertiserId: input.id, archivedAt: null } });
      if (campaigns > 0) throw stillInUse(campaigns);
      await recordAudit(tx, ctx, { action: "advertiser.archived", targets: [advertiserTarget(advertiser)] });
    });
  },
});

const stillInUse = (campaigns: number): ServiceError =>
  new ServiceError("conflict", "This advertiser still has campaigns; delete those first.", {
    param: "id",
    details: { reason: "has_campaigns", campaigns },
  });
