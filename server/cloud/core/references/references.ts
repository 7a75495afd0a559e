import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Mode, Plane } from "../../../operation/actor";
import type { Blocker, Kind } from "../kinds/kind";
import { type FoundReference, type ReferenceTarget, referencesOf } from "./reference-fields";
import { type NamedRow, readDependents, readNamed } from "./references.sql";

const NAMED_MAX = 5;

interface Naming {
  place: { tenantId: string; projectId: string; mode: Mode; plane: Plane };
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
  const found = newOf(naming);
  const rows = await rowsOf(db, naming, { references: found, locks: false });
  const planned = found.find(({ id, rule }) => rows.get(id)?.state === "placeholder" && !rule.allowsPlaceholder);
  return planned && placeholderNamed(planned, rows.get(planned.id));
}

/**
 * Keeps what a spec refers to from being deleted until the transaction ends, and returns the references. Throws as
 * `checkReferences`, and `unprocessable` (reason `target_missing`) for a placeholder.
 */
export async function holdReferences(
  tx: Pick<Prisma.TransactionClient, "$queryRaw">,
  naming: Naming,
): Promise<FoundReference[]> {
  const found = newOf(naming);
  const rows = await rowsOf(tx, naming, { references: found, locks: true });
  const planned = found.find(({ id, rule }) => rows.get(id)?.state === "placeholder" && !rule.allowsPlaceholder);
  if (planned) throw notUsable(planned, placeholderNamed(planned, rows.get(planned.id)));
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

/** Throws `conflict` (reason `has_dependents`) while other resources need a resource that is locked. */
export async function assertNotInUse(
  tx: Pick<Prisma.TransactionClient, "$queryRaw">,
  { id }: { id: string },
): Promise<void> {
  const dependents = await readDependents(tx, { id, onDelete: "restrict", limit: NAMED_MAX });
  if (dependents.length === 0) return;
  const named = dependents.map((one) => `${one.rid} (${one.name})`);
  throw new ServiceError("conflict", `Other resources use it: ${named.join(", ")}. Delete them first.`, {
    param: "rid",
    details: { reason: "has_dependents", rids: dependents.map(({ rid }) => rid) },
  });
}

/** The references that the spec before the change does not have. */
function newOf({ kind, spec, before }: Naming): FoundReference[] {
  const all = referencesOf(kind.spec, spec);
  if (before === undefined) return all;
  const known = new Set(referencesOf(kind.spec, before).map(({ id }) => id));
  return all.filter(({ id }) => !known.has(id));
}

interface Looked {
  references: readonly FoundReference[];
  locks: boolean;
}

async function rowsOf(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  { place }: Naming,
  { references, locks }: Looked,
): Promise<ReadonlyMap<string, NamedRow>> {
  if (references.length === 0) return new Map();
  const ids = [...new Set(references.map(({ id }) => id))].sort();
  const rows = new Map((await readNamed(db, { ids, place, locks })).map((row) => [row.id, row]));
  const missing = references.find(({ id, rule }) => !isOneOf(rule.targets, rows.get(id), place.plane));
  if (missing) throw noneNamed(missing);
  return rows;
}

const isOneOf = (targets: readonly ReferenceTarget[], row: NamedRow | undefined, own: Plane): boolean =>
  row !== undefined &&
  targets.some(
    ({ plane = own, service, kind = row.kind }) => plane === row.plane && service === row.service && kind === row.kind,
  );

const noneNamed = ({ param, id, rule: { targets } }: FoundReference): ServiceError =>
  new ServiceError(
    "not_found",
    `${param}: this project and mode have no ${namesOf(targets)} with the id "${id.slice(0, 80)}".`,
    { param, details: { reason: "no_such_resource", expected: targets.map((target) => ({ ...target })) } },
  );

/** As in `vpc of the service net`. */
const namesOf = (targets: readonly ReferenceTarget[]): string =>
  targets.map(({ service, kind = "resource" }) => `${kind} of the service ${service}`).join(" or ");

const placeholderNamed = ({ param, id }: FoundReference, row: NamedRow | undefined): Blocker => ({
  code: "target_missing",
  message: `${param}: "${row?.name ?? id}" is a placeholder.`,
  remedy: `See the reason of ${id}; when that is provisioned, create this resource again with its new id.`,
});

const notUsable = ({ param }: FoundReference, { message, code }: Blocker): ServiceError =>
  new ServiceError("unprocessable", message, { param, details: { reason: code } });
