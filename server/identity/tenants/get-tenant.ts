import { z } from "zod";
import type { ActorCtx } from "../identity-ctx";
import { type Tenant, toTenant } from "./tenant";

export const GetTenant = z.object({});

/** The tenant that the actor acts for. */
export async function getTenant({ db, actor }: ActorCtx, _input: z.output<typeof GetTenant>): Promise<Tenant> {
  return toTenant(await db.tenant.findUniqueOrThrow({ where: { id: actor.tenantId } }));
}
