import { ServiceError } from "../../kernel/errors";
import type { AccountCtx } from "../identity-ctx";

/**
 * Returns the tenant that a person logs in to: the requested one, or by default the one that they joined first. Throws
 * `forbidden` when they do not belong to it, or to any tenant.
 */
export async function chooseTenant(
  { db }: Pick<AccountCtx, "db">,
  userId: string,
  tenantId: string | undefined,
): Promise<string> {
  const membership = await db.membership.findFirst({
    where: { userId, ...(tenantId === undefined ? {} : { tenantId }) },
    orderBy: [{ createdAt: "asc" }, { tenantId: "asc" }],
  });
  if (membership) return membership.tenantId;
  if (tenantId === undefined) {
    throw new ServiceError("forbidden", "This account no longer belongs to a tenant; request a new invitation.", {
      details: { reason: "no_tenant" },
    });
  }
  throw new ServiceError("forbidden", "You are not a member of this tenant; omit tenant_id to use your first one.", {
    param: "tenant_id",
    details: { reason: "not_a_member" },
  });
}
