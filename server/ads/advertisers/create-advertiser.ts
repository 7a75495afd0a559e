import { z } from "zod";
import { recordAudit } from "../../identity/audit/record-audit";
import { requireRoom } from "../../identity/quotas/require-room";
import { newId } from "../../kernel/ids";
import type { AdsCtx } from "../ads-ctx";
import { name } from "../fields";
import { type Advertiser, advertiserFields, advertiserOf, advertiserTarget } from "./advertiser";

export const CreateAdvertiser = z.strictObject({ name, ...advertiserFields });

/** Creates an advertiser of the tenant. Throws `quota_exceeded`. */
export function createAdvertiser(ctx: AdsCtx, input: z.output<typeof CreateAdvertiser>): Promise<Advertiser> {
  const { db, clock, actor } = ctx;
  const now = clock.now();
  return db.$transaction(async (tx) => {
    await requireRoom(tx, actor, "advertisers");
    const row = await tx.advertiser.create({
      data: {
        id: newId("adv", now.getTime()),
        tenantId: actor.tenantId,
        name: input.name,
        domain: input.domain ?? null,
        iconUrl: input.icon_url ?? null,
        createdAt: now,
        updatedAt: now,
      },
    });
    await recordAudit(tx, ctx, { action: "advertiser.created", targets: [advertiserTarget(row)] });
    return advertiserOf(row);
  });
}
