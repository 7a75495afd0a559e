import type { Pool } from "pg";
import { z } from "zod";
import type { GpuNode, PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { assertPool, LIVE_POOLS, POOLS } from "./change-node";
import { NODE_VERSION, nodesOfPool } from "./fleet";
import { type HealthLine, healthOfNodes } from "./node-events.sql";
import { FLAPPING_MS } from "./node-health";
import { nodeUses } from "./pool-use.sql";

export const ListGpuNodes = z.strictObject({ pool: z.string().optional() });

export interface GpuNodeLine {
  pool: string;
  node: string;
  /** Of the simulated software, or of the program on a joined node; "-" for the node of a process of svc. */
  version: string;
  gpus: number;
  used_gpus: number;
  spot_gpus: number;
  state: "open" | "cordoned" | "draining";
  cordon: { since: string; by: "operator" | "health" | "upgrade" | "tenant"; reason: string; flapping: boolean } | null;
  critical_events_last_hour: number;
  last_event: { at: string; severity: string; kind: string; message: string } | null;
}

/**
 * The nodes of all pools, or of one, with their use, why they accept no pods, and their health. Throws `not_found` for a
 * pool that the fleet does not have.
 */
export async function listGpuNodes(
  { db, sql, clock }: { db: PrismaClient; sql: Pick<Pool, "query">; clock: Clock },
  { pool }: z.output<typeof ListGpuNodes>,
): Promise<GpuNodeLine[]> {
  if (pool !== undefined) assertPool(pool);
  const since = new Date(clock.now().getTime() - FLAPPING_MS);
  const [uses, rows, health, nodes] = await Promise.all([
    nodeUses(sql, pool),
    db.gpuNode.findMany({ where: pool === undefined ? {} : { pool } }),
    healthOfNodes(sql, { since, pool }),
    db.joinedNode.findMany({ select: { id: true, version: true } }),
  ]);
  const versions = new Map(nodes.map(({ id, version }) => [id, version]));
  const [useOf, rowOf, healthOf] = [byName(uses), byName(rows), byName(health)];
  const real = uses.filter(({ simulated }) => !simulated).map((use) => ({ ...use, name: use.node }));
  return (pool === undefined ? [...POOLS, ...LIVE_POOLS] : [pool]).flatMap((name) =>
    [...nodesOfPool(name), ...real.filter((use) => use.pool === name)].map(({ name: node, gpus }) => {
      const key = keyOf({ pool: name, node });
      const row = rowOf.get(key);
      const { usedGpus: used_gpus = 0, spotGpus: spot_gpus = 0 } = useOf.get(key) ?? {};
      return {
        pool: name,
        node,
        version: versionOf(row, versions),
        gpus,
        used_gpus,
        spot_gpus,
        ...stateOf(row),
        ...healthLine(healthOf.get(key)),
      };
    }),
  );
}

const versionOf = (row: GpuNode | undefined, ofJoinedNodes: ReadonlyMap<string, string>): string =>
  row?.simulated === false ? (ofJoinedNodes.get(row.nodeId ?? "") ?? "-") : (row?.softwareVersion ?? NODE_VERSION);

const keyOf = ({ pool, node }: { pool: string; node: string }): string => `${pool} ${node}`;

const byName = <T extends { pool: string; node: string }>(lines: readonly T[]): ReadonlyMap<string, T> =>
  new Map(lines.map((line) => [keyOf(line), line]));

function stateOf(row: GpuNode | undefined): Pick<GpuNodeLine, "state" | "cordon"> {
  if (!row?.cordonedAt) return { state: "open", cordon: null };
  const { cordonedAt, cordonSource, cordonReason, flaps, drains } = row;
  const cordon = { since: cordonedAt.toISOString(), by: cordonSource ?? "operator", reason: cordonReason ?? "" };
  return { state: drains ? "draining" : "cordoned", cordon: { ...cordon, flapping: flaps } };
}

function healthLine(line: HealthLine | undefined): Pick<GpuNodeLine, "critical_events_last_hour" | "last_event"> {
  if (!line) return { critical_events_last_hour: 0, last_event: null };
  const { crits, at, severity, kind, message } = line;
  return { critical_events_last_hour: crits, last_event: { at: at.toISOString(), severity, kind, message } };
}
