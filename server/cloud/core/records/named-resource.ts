import type { Prisma } from "../../../engines/postgres/generated/client";
import { storedJson } from "../../../identity/stored-json";
import { canonicalJson } from "../../../kernel/canonical-json";
import { ServiceError } from "../../../kernel/errors";
import type { Families } from "../kinds/families";
import { specHashOf } from "../specs/specs";
import { type StoredResource, specOf } from "./resource";
import type { ResourceIdentity } from "./resource-columns";

/** Which rows have a name, the placeholder too. */
export const nameOf = ({ projectId, mode, plane, service, name }: ResourceIdentity) => ({
  projectId,
  mode,
  plane,
  service,
  name,
  archivedAt: null,
});

/**
 * Returns the resource with a name if it has the same kind and spec; null: none has the name, or a placeholder. Throws
 * `conflict` (reason `name_taken` or `deleting`) for another one.
 */
export async function findSame(
  tx: Prisma.TransactionClient,
  families: Families,
  identity: ResourceIdentity,
): Promise<StoredResource | null> {
  const row = await tx.resource.findFirst({ where: { ...nameOf(identity), state: { not: "placeholder" } } });
  if (row?.state === "deleting")
    throw new ServiceError(
      "conflict",
      `The resource of ${identity.service} with the name "${identity.name}" is being deleted: choose another name, or create it when that one is gone.`,
      { param: "name", details: { reason: "deleting", rid: row.id } },
    );
  if (!row || (row.kind === identity.kind && row.specHash === specHashOf(families.keys, identity.spec))) return row;
  const differs = row.kind === identity.kind ? differing(specOf(families, row), identity.spec) : ["kind"];
  throw new ServiceError(
    "conflict",
    `A resource of ${identity.service} has the name "${identity.name}" already, and differs in ${differs.join(", ")}: choose another name, or update that resource.`,
    { param: "name", details: { reason: "name_taken", rid: row.id, differs } },
  );
}

function differing(a: unknown, b: unknown): string[] {
  const [one, other] = [a, storedJson(b)] as Record<string, unknown>[];
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...names]
    .filter((name) => canonicalJson(one?.[name] ?? null) !== canonicalJson(other?.[name] ?? null))
    .map((name) => `spec.${name}`);
}
