import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";

/** A part of the addresses of a network. */
export interface Subnet {
  name: string;
  cidr: string;
}

/** A private network, locked until the transaction ends. */
export interface LockedNetwork {
  id: string;
  cidr: string;
  subnets: Subnet[];
  nodeId: string;
  closed: boolean;
}

interface NetworkOwner {
  tenantId: string;
  projectId: string;
  mode: string;
}

/** Locks the network for changes of what is in it; undefined if there is none. */
export async function lockNetwork(tx: Prisma.TransactionClient, id: string): Promise<LockedNetwork | undefined> {
  const rows = await tx.$queryRaw<LockedNetwork[]>`
    SELECT id, cidr, subnets, node_id AS "nodeId", closed FROM private_networks WHERE id = ${id} FOR UPDATE`;
  return rows[0];
}

/** The same for a network of one project and mode. */
export async function lockNetworkOf(
  tx: Prisma.TransactionClient,
  { tenantId, projectId, mode }: NetworkOwner,
  id: string,
): Promise<LockedNetwork | undefined> {
  const rows = await tx.$queryRaw<LockedNetwork[]>`
    SELECT id, cidr, subnets, node_id AS "nodeId", closed FROM private_networks
    WHERE id = ${id} AND tenant_id = ${tenantId} AND project_id = ${projectId} AND mode = ${mode}::"Mode" FOR UPDATE`;
  return rows[0];
}

/** The addresses that other pods of a network have: those that run or wait, and those of instances. */
export async function takenAddresses(
  tx: Prisma.TransactionClient,
  { networkId, podId }: { networkId: string; podId: string },
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ address: string }[]>`
    SELECT p.network_address AS address FROM pods p
    WHERE p.network_id = ${networkId} AND p.network_address IS NOT NULL AND p.id <> ${podId}
      AND ((p.resource_id IS NOT NULL AND p.deleted_at IS NULL)
        OR EXISTS (SELECT FROM pod_runs r WHERE r.pod_id = p.id AND r.ended_at IS NULL))`;
  return new Set(rows.map(({ address }) => address));
}

/** How many pods use networks: those that run or wait, and instances. Networks without any are not in it. */
export async function countPods(
  sql: Pick<Pool, "query"> | Prisma.TransactionClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const text = `SELECT p.network_id AS id, count(*)::int AS pods FROM pods p
    WHERE p.network_id = ANY($1) AND ((p.resource_id IS NOT NULL AND p.deleted_at IS NULL)
      OR EXISTS (SELECT FROM pod_runs r WHERE r.pod_id = p.id AND r.ended_at IS NULL))
    GROUP BY p.network_id`;
  type Row = { id: string; pods: number };
  const rows =
    "query" in sql ? (await sql.query<Row>(text, [ids])).rows : await sql.$queryRawUnsafe<Row[]>(text, [...ids]);
  return new Map(rows.map(({ id, pods }) => [id, pods]));
}

/** Whether a run of a network has not ended. */
export async function hasRuns(sql: Pick<Pool, "query">, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM pods p JOIN pod_runs r ON r.pod_id = p.id WHERE p.network_id = $1 AND r.ended_at IS NULL LIMIT 1`,
    [id],
  );
  return rowCount !== 0;
}

/** What a node must know of a network. */
export interface NetworkOfNode {
  id: string;
  hasEgress: boolean;
  /** Those with an address, in its order. */
  pods: { id: string; name: string; address: string }[];
}

/** The networks of a node that have pods. */
export async function networksOfNode(sql: Pick<Pool, "query">, nodeId: string): Promise<NetworkOfNode[]> {
  const { rows } = await sql.query<NetworkOfNode>({
    name: "networks_of_node",
    text: `SELECT n.id, json_agg(json_build_object('id', p.id, 'name', p.name, 'address', p.network_address)
          ORDER BY p.network_address, p.id) AS pods,
        EXISTS (SELECT FROM network_gateways g WHERE g.network_id = n.id AND g.egress) AS "hasEgress"
      FROM private_networks n JOIN pods p ON p.network_id = n.id AND p.network_address IS NOT NULL
      WHERE n.node_id = $1 AND EXISTS (SELECT FROM pod_runs r WHERE r.pod_id = p.id AND r.ended_at IS NULL)
      GROUP BY n.id`,
    values: [nodeId],
  });
  return rows;
}

/** Those of these networks that have a record. */
export async function recordedNetworks(sql: Pick<Pool, "query">, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql.query<{ id: string }>("SELECT id FROM private_networks WHERE id = ANY($1)", [ids]);
  return new Set(rows.map(({ id }) => id));
}
