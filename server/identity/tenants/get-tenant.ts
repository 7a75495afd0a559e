import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { ActorCtx } from "../identity-ctx";
import type { Tenant } from "./tenant";
import type { TenantCache } from "./tenant-cache";

export const GetTenant = z.strictObject({});

interface TenantCtx extends ActorCtx {
  tenants: Pick<TenantCache, "find">;
}

/** The tenant that the actor acts for, from memory: at most ten seconds old. */
export async function getTenant({ tenants, actor }: TenantCtx, _input: z.output<typeof GetTenant>): Promise<Tenant> {
  const tenant = await tenants.find(actor.tenantId);
  if (!tenant) throw notFound("tenant", actor.tenantId);
  return tenant;
}
