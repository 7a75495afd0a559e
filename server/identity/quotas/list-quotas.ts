import { z } from "zod";
import type { Page } from "../../kernel/page";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { QUOTA_RESOURCES, type Quota, type QuotaResource, quotaFields } from "./quota";

export const ListQuotas = z.strictObject({});

/** Every limit of the actor's tenant and how much of it is used; always one page. */
export async function listQuotas(ctx: ActorCtx, _input: z.output<typeof ListQuotas>): Promise<Page<Quota>> {
  requireScope(ctx.actor, "usage:read");
  return { data: await quotasOf(ctx, ctx.actor.tenantId), next_cursor: null };
}

/** Every limit of a tenant, for operators too. */
export async function quotasOf({ db, clock }: Pick<ActorCtx, "db" | "clock">, tenantId: string): Promise<Quota[]> {
  const rows = await db.quota.findMany({ where: { tenantId } });
  const limits = new Map(rows.map(({ resource, limit }) => [resource, Number(limit)]));
  const now = clock.now();
  const quotaOf = async (resource: QuotaResource): Promise<Quota> => {
    const { used, defaultLimit, liftable, unit, description } = quotaFields(resource);
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
  return Promise.all(QUOTA_RESOURCES.map(quotaOf));
}
