import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { readDependents } from "./references.sql";

const NAMED_MAX = 5;

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
