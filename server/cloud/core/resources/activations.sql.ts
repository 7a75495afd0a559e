import type { Prisma } from "../../../engines/postgres/generated/client";
import { planesGatedBy, type ServiceId } from "../planes/planes";

/** Makes the resources that depend on the activation of a service due, in the transaction that changes it. */
export async function wakeService(
  tx: Prisma.TransactionClient,
  { tenantId, mode, plane, service, now }: ServiceId & { tenantId: string; mode: string; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE resources SET next_at = ${now}
    WHERE tenant_id = ${tenantId} AND mode = ${mode}::"Mode" AND ((plane = ${plane} AND service = ${service}) OR plane = ANY(${planesGatedBy({ plane, service })}))
      AND archived_at IS NULL AND state <> 'placeholder'`;
}
