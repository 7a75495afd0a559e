import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Mode, Plane } from "../../../operation/actor";
import type { Blocker } from "../kinds/kind";
import type { FoundReference, ReferenceTarget } from "./reference-fields";
import { type NamedRow, readNamed } from "./references.sql";

export interface PlaneOwner {
  tenantId: string;
  projectId: string;
  mode: Mode;
  /** Of the kind that has the references. */
  plane: Plane;
}

interface Looked {
  references: readonly FoundReference[];
  locks: boolean;
}

/** A reference to a placeholder where none can be. */
interface PlannedReference {
  param: string;
  blocker: Blocker;
}

/**
 * Looks for what references name, and locks it against deletion if asked. Returns the first one that names a placeholder
 * where none can be. Throws `not_found` for one that names no resource of its targets there.
 */
export async function findNamed(
  db: Pick<Prisma.TransactionClient, "$queryRaw">,
  owner: PlaneOwner,
  { references, locks }: Looked,
): Promise<PlannedReference | undefined> {
  if (references.length === 0) return undefined;
  const ids = [...new Set(references.map(({ id }) => id))].sort();
  const rows = new Map((await readNamed(db, { ids, owner, locks })).map((row) => [row.id, row]));
  const missing = references.find(({ id, rule }) => !isOneOf(rule.targets, rows.get(id), owner.plane));
  if (missing) throw noneNamed(missing);
  const planned = references.find(({ id, rule }) => rows.get(id)?.state === "placeholder" && !rule.allowsPlaceholder);
  return planned && { param: planned.param, blocker: placeholderNamed(planned, rows.get(planned.id)) };
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
