import { z } from "zod";
import { newId } from "../../kernel/ids";
import type { AdsCtx } from "../ads-ctx";
import { name } from "../fields";
import { type Advertiser, advertiserFields, advertiserOf } from "./advertiser";

export const CreateAdvertiser = z.strictObject({ name, ...advertiserFields });

/** Creates an advertiser of the tenant. */
export async function createAdvertiser(
  { db, clock, actor }: AdsCtx,
  input: z.output<typeof CreateAdvertiser>,
): Promise<Advertiser> {
  const now = clock.now();
  const row = await db.advertiser.create({
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
  return advertiserOf(row);
}
