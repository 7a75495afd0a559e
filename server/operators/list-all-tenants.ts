import { z } from "zod";
import type { OperatorCtx } from "./operator-ctx";

export const ListAllTenants = z.strictObject({});

export interface TenantLine {
  id: string;
  name: string;
  /** The owner who joined first; null if the tenant has no owner. */
  owner_email: string | null;
  /** Since when its programs may run on the machine of svc; null: they may not, unless svc is reached on loopback alone. */
  admitted_at: string | null;
  created_at: string;
}

/** All tenants of the installation, oldest first. */
export async function listAllTenants(
  { db }: Pick<OperatorCtx, "db">,
  _input: z.output<typeof ListAllTenants>,
): Promise<TenantLine[]> {
  const owners = { where: { role: "owner" }, include: { user: true }, orderBy: { createdAt: "asc" }, take: 1 } as const;
  const rows = await db.tenant.findMany({ include: { memberships: owners }, orderBy: { id: "asc" } });
  return rows.map(({ id, name, memberships, admittedAt, createdAt }) => ({
    id,
    name,
    owner_email: memberships[0]?.user.email ?? null,
    admitted_at: admittedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }));
}
