import type { Prisma } from "../../../engines/postgres/generated/client";
import { isLivePool, nodesOfPool } from "../pools/fleet";
import type { PoolNode } from "../reserved-gpus/choose-devices";

export interface ReservableNode extends PoolNode {
  /** Devices that no pod is given. */
  withheld: readonly number[];
}

type Db = Pick<Prisma.TransactionClient, "gpuNode">;

/**
 * The nodes of a pool whose GPUs can be reserved, with the NVLink domain that those of a rack share: the simulated fleet,
 * or the real ones that are still known, also those that do not report at present.
 */
export async function reservableNodes(db: Db, pool: string): Promise<ReservableNode[]> {
  if (!isLivePool(pool))
    return nodesOfPool(pool).map(({ name, gpus, domain }) => nodeOf({ node: name, gpus, domain, withheld: [] }));
  const select = { node: true, gpus: true, domain: true, withheld: true };
  const rows = await db.gpuNode.findMany({ where: { pool, gpus: { gt: 0 } }, select, orderBy: { node: "asc" } });
  return rows.map(nodeOf);
}

interface Row {
  node: string;
  gpus: number;
  domain: string | null;
  withheld: number[];
}

const nodeOf = ({ node: name, gpus, domain, withheld }: Row): ReservableNode => ({
  name,
  gpus,
  withheld,
  ...(domain !== null && { domain }),
});

/** The GPUs of a pool that can be reserved. */
export const poolSize = async (db: Db, pool: string): Promise<number> =>
  (await reservableNodes(db, pool)).reduce((sum, { gpus, withheld }) => sum + gpus - withheld.length, 0);
