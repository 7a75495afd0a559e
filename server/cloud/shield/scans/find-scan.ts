import type { Prisma, ShieldScan as ScanRow } from "../../../engines/postgres/generated/client";
import { IdText } from "../../../identity/wire-text";
import type { Actor } from "../../../operation/actor";
import { noSuchScan } from "./shield-scan";

/** The part of a request that names a scan. */
export const scanChoice = { scan_id: IdText.min(1) };

/** Returns a scan: a key sees those of its own project and mode, a person all of the tenant. Throws `not_found`. */
export async function findScan(
  { db, actor }: { db: Pick<Prisma.TransactionClient, "shieldScan">; actor: Actor },
  id: string,
): Promise<ScanRow> {
  const seen = actor.kind === "key" ? { projectId: actor.projectId, mode: actor.mode } : {};
  const found = await db.shieldScan.findFirst({ where: { tenantId: actor.tenantId, id, ...seen } });
  if (!found) throw noSuchScan(id);
  return found;
}
