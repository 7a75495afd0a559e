import { z } from "zod";
import { recordUpdate } from "../../identity/audit/record-update";
import { notFound } from "../../kernel/errors";
import type { AdsCtx } from "../ads-ctx";
import { id, name } from "../fields";
import { ownRows } from "../own-rows";
import { type Advertiser, advertiserFields, advertiserOf, advertiserTarget } from "./advertiser";
import { lockAdvertiser } from "./advertiser.sql";

export const UpdateAdvertiser = z.strictObject({ id, name: name.optional(), ...advertiserFields });

/** Changes the fields that are given; `null` clears `domain` or `icon_url`. Throws `not_found`. */
export function updateAdvertiser(ctx: AdsCtx, input: z.output<typeof UpdateAdvertiser>): Promise<Advertiser> {
  const { db, clock, actor } = ctx;
  return db.$transaction(async (tx) => {
    await lockAdvertiser(tx, input.id);
    const before = await tx.advertiser.findFirst({ where: { id: input.id, ...ownRows(actor) } });
    if (!before) throw notFound("advertiser", input.id);
    const row = await tx.advertiser.update({
      where: { id: before.id },
      data: {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.domain !== undefined && { domain: input.domain }),
        ...(input.icon_url !== undefined && { iconUrl: input.icon_url }),
        updatedAt: clock.now(),
      },
    });
    const after = advertiserOf(row);
    await recordUpdate(tx, ctx, { target: advertiserTarget(row), before: advertiserOf(before), after });
    return after;
  });
}
