import type { FleetUpgrade, Prisma } from "../../../engines/postgres/generated/client";

/** Why an upgrade of a tenant cannot run now: operators upgrade the pool. undefined: they do not. */
export async function blockedByOperators(
  tx: Pick<Prisma.TransactionClient, "fleetUpgrade">,
  { pool, tenantId, state }: Pick<FleetUpgrade, "pool" | "tenantId" | "state">,
): Promise<string | undefined> {
  if (tenantId === null || state !== "running") return undefined;
  const open = await tx.fleetUpgrade.findFirst({ where: { pool, tenantId: null, finishedAt: null } });
  if (!open) return undefined;
  return `Operators are upgrading ${pool}${open.targetVersion === null ? "" : ` to ${open.targetVersion}`}: try again when they are done.`;
}
