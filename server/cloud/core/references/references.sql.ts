import { Prisma } from "../../../engines/postgres/generated/client";
import type { Mode } from "../../../operation/actor";
import type { OnDelete } from "./reference-fields";

type Reading = Pick<Prisma.TransactionClient, "$queryRaw">;

/** A resource that a spec names. */
export interface NamedRow {
  id: string;
  plane: string;
  service: string;
  kind: string;
  name: string;
  state: string;
}

interface Named {
  ids: readonly string[];
  owner: { tenantId: string; projectId: string; mode: Mode };
  /** They cannot be deleted until the transaction ends. */
  locks: boolean;
}

/** Those of some ids that belong to an owner, and are not being deleted. */
export const readNamed = (db: Reading, { ids, owner, locks }: Named): Promise<NamedRow[]> => db.$queryRaw<NamedRow[]>`
  SELECT id, plane, service, kind, name, state FROM resources
  WHERE id = ANY(${ids}) AND tenant_id = ${owner.tenantId} AND project_id = ${owner.projectId}
    AND mode = ${owner.mode}::"Mode" AND archived_at IS NULL AND state <> 'deleting'
  ORDER BY id ${locks ? Prisma.sql`FOR SHARE` : Prisma.empty}`;

/** A resource that refers to another one. */
export interface DependentRow {
  rid: string;
  plane: string;
  service: string;
  kind: string;
  name: string;
  /** The field that refers to it, as in `spec.network`. */
  param: string;
  onDelete: OnDelete;
}

interface Dependents {
  id: string;
  /** Absent: each. */
  onDelete?: OnDelete;
  limit: number;
}

/** What refers to a resource and is not being deleted, oldest first. */
export const readDependents = (db: Reading, { id, onDelete, limit }: Dependents): Promise<DependentRow[]> =>
  db.$queryRaw<DependentRow[]>`
    SELECT r.id AS rid, r.plane, r.service, r.kind, r.name, f.param, f.on_delete AS "onDelete"
    FROM resource_references f JOIN resources r ON r.id = f.from_id
    WHERE f.to_id = ${id} AND r.archived_at IS NULL AND r.state <> 'deleting'
      AND (${onDelete ?? null}::text IS NULL OR f.on_delete = ${onDelete ?? null})
    ORDER BY r.id, f.param LIMIT ${limit}`;

/** Whether something that is deleted with a resource is still there. */
export async function hasParts(db: Reading, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT r.id FROM resource_references f JOIN resources r ON r.id = f.from_id
    WHERE f.to_id = ${id} AND f.on_delete = 'cascade' AND r.archived_at IS NULL LIMIT 1`;
  return rows.length > 0;
}
