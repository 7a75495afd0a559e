import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { PrismaClient, SharedVolume } from "../../../engines/postgres/generated/client";
import type { Observation } from "../../core/kinds/kind";
import { mountCounts } from "../../data/volumes/volumes.sql";
import { readNodes } from "../placement/pod-nodes.sql";

/** Within the time that a creation waits for its effect. */
const MADE_WAIT_MS = 4000;
const POLL_MS = 50;

/** Waits for a moment until its node has done what is wanted. */
export async function waitUntilCreated({ db }: { db: PrismaClient }, id: string): Promise<void> {
  const until = performance.now() + MADE_WAIT_MS;
  while (performance.now() < until) {
    const row = await db.sharedVolume.findUnique({ where: { id } });
    if (!row || (row.state !== "deleting" && (row.failure !== null || isMade(row)))) return;
    await sleep(POLL_MS);
  }
}

const isMade = ({ state, madeGb, capacityGb, limitedMbps, throughputMbps }: SharedVolume): boolean =>
  state !== "making" && (madeGb ?? 0) >= capacityGb && limitedMbps === throughputMbps;

/** What shared volumes are, by the id of the resource. */
export async function readVolumeStates(
  { db, sql }: { db: PrismaClient; sql: Pool },
  all: readonly { rid: string }[],
): Promise<ReadonlyMap<string, Observation>> {
  const rows = await db.sharedVolume.findMany({ where: { id: { in: all.map(({ rid }) => rid) } } });
  const nodes = new Set((await readNodes(db, null)).map(({ id }) => id));
  const pods = await mountCounts(
    sql,
    rows.map(({ id }) => id),
  );
  return new Map(
    rows.map((row) => [row.id, observationOf(row, { pods: pods.get(row.id) ?? 0, isThere: nodes.has(row.nodeId) })]),
  );
}

interface Around {
  pods: number;
  /** Its node reports. */
  isThere: boolean;
}

function observationOf(row: SharedVolume, { pods, isThere }: Around): Observation {
  const observed = {
    capacity_gb: row.madeGb ?? 0,
    size_enforced: true,
    pods,
    snapshot_id: row.snapshotId,
    throughput_mbps: row.limitedMbps,
    throughput_enforced: row.throughputEnforced,
  };
  const failure = row.failure as { message: string } | null;
  if (failure) return { is: "faulty", observed, message: failure.message };
  if (row.state === "lost")
    return {
      is: "faulty",
      observed,
      message: "Its node does not have it any more; restore a snapshot into a new one.",
    };
  if (!isThere) return { is: "faulty", observed, message: "The node with its files does not report at present." };
  return { is: isMade(row) ? "present" : "changing", observed };
}
