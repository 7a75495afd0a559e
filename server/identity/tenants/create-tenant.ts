import type { Prisma, Tenant } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";

interface NewTenant {
  ownerId: string;
  name: string;
  isDemo?: boolean;
  now: Date;
}

/**
 * Creates a tenant with its owner and its first project, `default`. The demo, whose password the operator has, is admitted
 * to the machine of svc; others are by `svc admin admit-tenant`.
 */
export async function createTenant(
  tx: Prisma.TransactionClient,
  { ownerId, name, isDemo = false, now }: NewTenant,
): Promise<{ tenant: Tenant; projectId: string }> {
  const ms = now.getTime();
  const tenant = await tx.tenant.create({
    data: { id: newId("ten", ms), name, isDemo, createdAt: now, admittedAt: isDemo ? now : null },
  });
  const projectId = newId("prj", ms);
  await tx.project.create({ data: { id: projectId, tenantId: tenant.id, name: "default", createdAt: now } });
  await tx.membership.create({ data: { userId: ownerId, tenantId: tenant.id, role: "owner", createdAt: now } });
  return { tenant, projectId };
}
