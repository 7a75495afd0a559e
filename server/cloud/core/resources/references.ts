import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import type { Families, Reference } from "./family";
import { type StoredResource, serviceOf } from "./resource";

const NAMED_MAX = 5;

interface Naming {
  place: { tenantId: string; projectId: string; mode: Mode };
  references: readonly Reference[];
}

/**
 * Keeps the resources that a spec names from being deleted until the transaction ends. Throws `not_found` for one that is not
 * of the same project and mode, or is being deleted.
 */
export async function holdReferences(
  tx: Prisma.TransactionClient,
  { place: { tenantId, projectId, mode }, references }: Naming,
): Promise<void> {
  if (references.length === 0) return;
  const ids = references.map(({ rid }) => rid);
  const rows = await tx.$queryRaw<{ id: string; service: string }[]>`
    SELECT id, service FROM resources
    WHERE id = ANY(${ids}) AND tenant_id = ${tenantId} AND project_id = ${projectId} AND mode = ${mode}::"Mode"
      AND archived_at IS NULL AND state <> 'deleting' ORDER BY id FOR SHARE`;
  const services = new Map(rows.map(({ id, service }) => [id, service]));
  const missing = references.find(({ rid, service }) => services.get(rid) !== service);
  if (!missing) return;
  const { rid, service, param } = missing;
  const message = `${param}: no resource of the service ${service} in this project and mode has the id "${rid.slice(0, 80)}".`;
  throw new ServiceError("not_found", message, { param });
}

/** Throws `conflict` (reason `has_dependents`) while other resources name a resource that is locked. */
export async function assertUnreferenced(
  tx: Prisma.TransactionClient,
  families: Families,
  row: StoredResource,
): Promise<void> {
  const { tenantId, projectId, mode } = row;
  const services = families
    .list()
    .flatMap(({ service, kinds }) => (Object.values(kinds).some(({ references }) => references) ? [service] : []));
  const found = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM resources WHERE tenant_id = ${tenantId} AND project_id = ${projectId} AND mode = ${mode}::"Mode"
      AND archived_at IS NULL AND state NOT IN ('placeholder', 'deleting') AND service = ANY(${services})
      AND spec::text LIKE ${`%${row.id}%`} ORDER BY id`;
  const all = await tx.resource.findMany({ where: { id: { in: found.map(({ id }) => id) } }, orderBy: { id: "asc" } });
  const naming = all.filter((one) => {
    const { references } = families.kindOf({ ...serviceOf(one), kind: one.kind });
    return references?.(one.spec).some(({ rid }) => rid === row.id);
  });
  if (naming.length === 0) return;
  const named = naming.slice(0, NAMED_MAX).map(({ id, name }) => `${id} (${name})`);
  throw new ServiceError("conflict", `Other resources use it: ${named.join(", ")}. Delete them first.`, {
    ...{ param: "rid", details: { reason: "has_dependents", rids: naming.slice(0, NAMED_MAX).map(({ id }) => id) } },
  });
}
