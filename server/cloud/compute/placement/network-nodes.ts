import type { Pool } from "pg";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { type NodeReport, reportingNodes, usedRooms } from "./pod-nodes.sql";

/** The nodes that report and can separate private networks. */
export const networkNodes = async (sql: Pool): Promise<NodeReport[]> =>
  (await reportingNodes(sql)).filter(({ hasNetworks }) => hasNetworks);

/** The id of that with the most free memory; undefined if there is none at present. */
export async function chooseNetworkNode({ db, sql }: { db: PrismaClient; sql: Pool }): Promise<string | undefined> {
  const [able, used] = [await networkNodes(sql), await usedRooms(db)];
  const free = (id: string, memoryMb: number) => memoryMb - (used.get(id)?.usedMb ?? 0);
  return able.sort((a, b) => free(b.id, b.memoryMb) - free(a.id, a.memoryMb))[0]?.id;
}
