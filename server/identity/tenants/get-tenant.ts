import { z } from "zod";
import { notFound } from "../../kernel/errors";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { Tenant } from "./tenant";
import { tenantExample } from "./tenant.example";
import type { TenantCache } from "./tenant-cache";

interface TenantCtx extends ActorCtx {
  tenants: Pick<TenantCache, "find">;
}

/** Returns the actor's tenant, from a cache that is at most ten seconds old. */
export const getTenant = operation({
  id: "getTenant",
  summary: "Get the calling tenant",
  access: "signed_in",
  input: z.strictObject({}),
  output: Tenant,
  example: { input: {}, output: tenantExample },
  run: async ({ tenants, actor }: TenantCtx) => {
    const tenant = await tenants.find(actor.tenantId);
    if (!tenant) throw notFound("tenant", actor.tenantId);
    return tenant;
  },
});
