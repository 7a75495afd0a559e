import { ServiceError } from "../../kernel/errors";
import type { AccountCtx } from "../identity-ctx";

/**
 * The tenant that a person logs in to: the one asked for, else the one that they joined first. Throws `forbidden` when
 * they do not belong to it, or to none any more.
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
    throw new ServiceError("forbidden", "This account belongs to no tenant any more; ask for a new invitation.", {
      details: { reason: "no_tenant" },
    });
  }
  throw new ServiceError("forbidden", "You are not a member of this tenant; leave tenant_id out for your first one.", {
    param: "tenant_id",
    details: { reason: "not_a_member" },
  });
}
