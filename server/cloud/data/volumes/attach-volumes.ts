import type { Prisma, SharedVolume } from "../../../engines/postgres/generated/client";
import type { MountedVolume } from "../../../engines/runtime/runtime-volumes";
import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import type { PodMount } from "./pod-mounts";
import { holdVolumes } from "./volumes.sql";

interface Attaching {
  owner: { tenantId: string; projectId: string; mode: Mode };
  mounts: readonly PodMount[];
  /** Keeps the volumes from being deleted until the transaction ends. */
  holds: boolean;
  /** Where the pod is; undefined: not known yet, so that volumes of networks are not refused. */
  network?: PodNetwork | undefined;
}

/** The private network of a pod, and its subnet; null: it is in none. */
interface PodNetwork {
  networkId: string | null;
  networkSubnet: string | null;
}

/**
 * Returns the node that has the shared volumes of a pod; null: it has none. Throws `not_found` for a volume that is not
 * of the pod's project and mode, `conflict` (reasons `volume_not_ready`, `volume_suspended`) and `unprocessable` (reasons
 * `volumes_apart`, `volume_in_network`).
 */
export async function nodeOfVolumes(
  tx: Prisma.TransactionClient,
  { owner, mounts, holds, network }: Attaching,
): Promise<string | null> {
  if (mounts.length === 0) return null;
  const ids = mounts.map(({ volume }) => volume);
  if (holds) await holdVolumes(tx, ids);
  const rows = await volumesOf(tx, owner, ids);
  const found = mounts.map(({ volume }, i) => {
    const param = `volumes.${i}.volume`;
    const row = rows.get(volume);
    if (!row) throw noSuchVolume(volume, param);
    const problem = mountProblem(row, network);
    if (problem) throw new ServiceError(problem.code, problem.message, { param, details: { reason: problem.reason } });
    return row;
  });
  const nodes = new Set(found.map(({ nodeId }) => nodeId));
  const [first = null] = nodes;
  if (nodes.size <= 1) return first;
  throw new ServiceError("unprocessable", "The volumes are on different nodes, so no pod can mount all of them.", {
    param: "volumes",
    details: { reason: "volumes_apart" },
  });
}

interface Opening {
  owner: Attaching["owner"];
  mounts: readonly PodMount[];
  network: PodNetwork;
  /** The node that starts the run. */
  nodeId: string;
}

/** What a run mounts on its node, or why it cannot. */
export async function openMounts(
  db: Pick<Prisma.TransactionClient, "sharedVolume">,
  { owner, mounts, network, nodeId }: Opening,
): Promise<MountedVolume[] | { code: string; message: string }> {
  if (mounts.length === 0) return [];
  const ids = mounts.map(({ volume }) => volume);
  const rows = await volumesOf(db, owner, ids);
  for (const id of ids) {
    const row = rows.get(id);
    if (!row || row.nodeId !== nodeId) return { code: "volume_missing", message: `The volume ${id} does not exist.` };
    const problem = mountProblem(row, network);
    if (problem) return { code: problem.reason, message: problem.message };
  }
  return mounts.map(({ volume: id, mount_path: path, read_only: readOnly }) => ({ id, path, readOnly }));
}

async function volumesOf(
  db: Pick<Prisma.TransactionClient, "sharedVolume">,
  { tenantId, projectId, mode }: Attaching["owner"],
  ids: readonly string[],
): Promise<Map<string, SharedVolume>> {
  const rows = await db.sharedVolume.findMany({ where: { id: { in: [...ids] }, tenantId, projectId, mode } });
  return new Map(rows.map((row) => [row.id, row]));
}

interface MountProblem {
  code: "conflict" | "unprocessable";
  reason: string;
  message: string;
}

function mountProblem(
  { id, state, suspendedAt, subnetId }: SharedVolume,
  network: PodNetwork | undefined,
): MountProblem | undefined {
  if (state !== "made")
    return { code: "conflict", reason: "volume_not_ready", message: `The volume ${id} is ${TEXTS[state]}.` };
  if (suspendedAt !== null) {
    const message = `The volume ${id} is suspended: activate the service dfs to mount it.`;
    return { code: "conflict", reason: "volume_suspended", message };
  }
  if (subnetId === null || network === undefined || isOfNetwork(subnetId, network)) return undefined;
  const message = `The volume ${id} belongs to the network ${subnetId}, which the pod is not in.`;
  return { code: "unprocessable", reason: "volume_in_network", message };
}

/** `subnetId` is the id of a network, or that of a subnet: `<network>/<name>`. */
function isOfNetwork(subnetId: string, { networkId, networkSubnet }: PodNetwork): boolean {
  const [wanted, subnet] = subnetId.split("/");
  return networkId === wanted && (subnet === undefined || networkSubnet === subnet);
}

const TEXTS = {
  making: "still being made",
  lost: "lost: its node does not have it",
  deleting: "being deleted",
} as const;

const noSuchVolume = (id: string, param: string): ServiceError =>
  new ServiceError("not_found", `No shared volume of this project and mode has the id "${id.slice(0, 80)}".`, {
    param,
  });
