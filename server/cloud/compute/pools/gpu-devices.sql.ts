import type { Prisma } from "../../../engines/postgres/generated/client";
import { endNomination } from "./nominations.sql";

/** Devices of one node for one run. */
interface Grant {
  runId: string;
  node: string;
  devices: readonly number[];
}

/**
 * Gives devices of a locked pool to runs: all or none. Fails if the pool is no longer at the version that the decision
 * read, if a node accepts no pods, or if another run holds one of the devices.
 */
export async function takeDevices(
  tx: Prisma.TransactionClient,
  { pool, version, grants }: { pool: string; version: bigint; grants: readonly Grant[] },
): Promise<void> {
  const rows = grants.flatMap(({ runId, node, devices }) => devices.map((device) => ({ runId, node, device })));
  const taken = await tx.$executeRaw`
    WITH raised AS (
      UPDATE gpu_pools SET version = version + 1 WHERE pool = ${pool} AND version = ${version} RETURNING version
    ), changed AS (
      UPDATE gpu_nodes SET version = raised.version FROM raised
      WHERE gpu_nodes.pool = ${pool} AND gpu_nodes.node = ANY(${rows.map(({ node }) => node)})
        AND gpu_nodes.cordoned_at IS NULL
      RETURNING gpu_nodes.node
    )
    INSERT INTO gpu_devices (pool, node, device, run_id)
    SELECT ${pool}, changed.node, wanted.device, wanted.run_id
    FROM unnest(${rows.map(({ node }) => node)}::text[], ${rows.map(({ device }) => device)}::int[],
      ${rows.map(({ runId }) => runId)}::text[]) AS wanted (node, device, run_id)
    JOIN changed ON changed.node = wanted.node`;
  if (taken !== rows.length) throw new Error(`the pool ${pool} was changed after the decision`);
}

/** Frees what a run holds, and what is kept for it. Waits for decisions about its pool, so that the next one sees it. */
export async function releaseDevices(tx: Prisma.TransactionClient, runId: string): Promise<void> {
  await endNomination(tx, runId);
  const [held] = await tx.$queryRaw<{ pool: string }[]>`
    SELECT pool FROM gpu_pools WHERE pool IN (SELECT pool FROM gpu_devices WHERE run_id = ${runId}) FOR UPDATE`;
  if (!held) return;
  await tx.$executeRaw`
    WITH freed AS (
      DELETE FROM gpu_devices WHERE run_id = ${runId} RETURNING node
    ), raised AS (
      UPDATE gpu_pools SET version = version + 1 WHERE pool = ${held.pool} RETURNING version
    )
    UPDATE gpu_nodes SET version = raised.version FROM raised
    WHERE gpu_nodes.pool = ${held.pool} AND gpu_nodes.node IN (SELECT node FROM freed)`;
}
