import { z } from "zod";
import type { Prisma, Project as ProjectRow } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { activeAt } from "../active-keys";
import { targetOf } from "../audit/record-audit";

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  active_keys: z.int().describe("The number of active API keys, test and live"),
  created_at: z.string(),
});
export type Project = z.output<typeof Project>;

/** The columns and counts that `toProject` needs. */
export const withActiveKeys = (now: Date) => ({ _count: { select: { apiKeys: { where: activeAt(now) } } } });

export const toProject = (row: ProjectRow & { _count: { apiKeys: number } }): Project => ({
  id: row.id,
  name: row.name,
  active_keys: row._count.apiKeys,
  created_at: row.createdAt.toISOString(),
});

/** Projects that are not archived. */
export const notArchived = (tenantId: string) => ({ tenantId, archivedAt: null });

/** Throws `conflict` if another project that is not archived has the name. Call it while the tenant is locked. */
export async function refuseTakenName(
  tx: Prisma.TransactionClient,
  { tenantId, name, exceptId }: { tenantId: string; name: string; exceptId?: string },
): Promise<void> {
  const taken = await tx.project.findFirst({
    where: { ...notArchived(tenantId), name, ...(exceptId === undefined ? {} : { id: { not: exceptId } }) },
  });
  if (!taken) return;
  throw new ServiceError("conflict", `Another project is named "${name}"; choose another name.`, {
    param: "name",
    details: { reason: "name_taken" },
  });
}

/** The audit target of a project. */
export const projectTarget = targetOf("project");
