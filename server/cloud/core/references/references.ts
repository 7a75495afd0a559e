import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Blocker, Kind } from "../kinds/kind";
import { findNamed, type PlaneOwner } from "./find-named";
import { type FoundReference, referencesOf } from "./reference-fields";

interface Naming {
  owner: PlaneOwner;
  kind: Pick<Kind, "spec">;
  spec: unknown;
  /** The spec that is changed: what it names was checked when it was stored. */
  before?: unknown;
}

/**
 * Looks for what a spec refers to. Returns what to do about a reference to a placeholder. Throws `not_found` for one that
 * names no resource of its targets in the same tenant, project and mode, or one that is being deleted.
 */
export async function checkReferences(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  naming: Naming,
): Promise<Blocker | undefined> {
  const planned = await findNamed(db, naming.owner, { references: newOf(naming), locks: false });
  return planned?.blocker;
}

/**
 * Keeps what a spec refers to from being deleted until the transaction ends, and returns the references. Throws as
 * `checkReferences`, and `unprocessable` (reason `target_missing`) for a placeholder.
 */
export async function holdReferences(
  tx: Pick<Prisma.TransactionClient, "$queryRaw">,
  naming: Naming,
): Promise<FoundReference[]> {
  const planned = await findNamed(tx, naming.owner, { references: newOf(naming), locks: true });
  if (planned) {
    const { param, blocker } = planned;
    throw new ServiceError("unprocessable", blocker.message, { param, details: { reason: blocker.code } });
  }
  return referencesOf(naming.kind.spec, naming.spec);
}

/** Records the references of a resource, in place of those that it had. */
export async function storeReferences(
  tx: Pick<Prisma.TransactionClient, "resourceReference">,
  fromId: string,
  references: readonly FoundReference[],
): Promise<void> {
  await tx.resourceReference.deleteMany({ where: { fromId } });
  if (references.length === 0) return;
  const data = references.map(({ param, id, rule }) => ({
    fromId,
    param,
    toId: id,
    onDelete: rule.onDelete ?? "restrict",
  }));
  await tx.resourceReference.createMany({ data });
}

/** The references that the spec before the change does not have. */
function newOf({ kind, spec, before }: Naming): FoundReference[] {
  const all = referencesOf(kind.spec, spec);
  if (before === undefined) return all;
  const known = new Set(referencesOf(kind.spec, before).map(({ id }) => id));
  return all.filter(({ id }) => !known.has(id));
}
