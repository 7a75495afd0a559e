import { z } from "zod";
import { pageOf } from "../../kernel/page";
import { examplePage } from "../../operation/example";
import type { QuotaDefinition } from "../../operation/quota";
import type { AccountCtx, ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { Quota } from "./quota";

/** Lists every limit of the actor's tenant with its usage, on one page. */
export const listQuotas = operation({
  id: "listQuotas",
  summary: "List limits and how much of them is used",
  access: "usage:read",
  input: z.strictObject({}),
  output: pageOf(Quota),
  example: {
    input: {},
    output: examplePage<Quota>({
      resource: "campaigns",
      limit: 1000,
      used: 12,
      default_limit: 1000,
      unit: "campaigns",
      description: "Campaigns that are not archived",
      liftable: true,
    }),
  },
  run: async (ctx: ActorCtx & Pick<AccountCtx, "quotas">) => {
    return { data: await quotasOf(ctx, ctx.actor.tenantId), next_cursor: null };
  },
});

/** Lists every limit of a tenant; operators use it too. */
export async function quotasOf(
  { db, clock, quotas }: Pick<AccountCtx, "db" | "clock" | "quotas">,
  tenantId: string,
): Promise<Quota[]> {
  const rows = await db.quota.findMany({ where: { tenantId } });
  const limits = new Map(rows.map(({ resource, limit }) => [resource, Number(limit)]));
  const now = clock.now();
  const quotaOf = async (quota: QuotaDefinition): Promise<Quota> => {
    const { resource, used, defaultLimit, liftable, unit, description } = quota;
    return {
      resource,
      limit: limits.get(resource) ?? defaultLimit,
      used: used && (await used(db, { tenantId, now })),
      default_limit: defaultLimit,
      unit,
      description,
      liftable: liftable !== null,
    };
  };
  return Promise.all(quotas.map(quotaOf));
}
