import type { Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import { freeDiskMb } from "../placement/choose-node";
import { runsMode } from "../placement/eligible-nodes";
import { type CandidateNode, lockNodes, NOTHING_USED, usedRooms } from "../placement/pod-nodes.sql";
import { usedVolumesGb } from "../placement/volumes.sql";

const MB_PER_GB = 1024;

interface Placing {
  projectId: string;
  mode: Mode;
  capacityGb: number;
  /** The only node that it may be on, which has its network; undefined: any. */
  nodeId: string | undefined;
}

/** Nodes that can have shared volumes: the kernel enforces the size, and pods of the mode may run there. */
export const holdsVolumes = ({ limitsVolumes, ...node }: CandidateNode, mode: Mode): boolean =>
  limitsVolumes && runsMode(node, mode);

/**
 * Chooses the node of a new volume, which is locked: one that has other volumes of the project, so that a pod can
 * mount them together, else the one with the most room. Throws `unavailable` (reason `no_disk`).
 */
export async function placeVolume(
  tx: Prisma.TransactionClient,
  { projectId, mode, capacityGb, nodeId }: Placing,
): Promise<string> {
  const rooms = (await freeRooms(tx, mode)).filter(({ id }) => nodeId === undefined || id === nodeId);
  const siblings = await tx.sharedVolume.findMany({ where: { projectId, mode }, distinct: "nodeId" });
  const isHome = (id: string) => siblings.some(({ nodeId }) => nodeId === id);
  const fits = rooms.filter(({ freeGb }) => freeGb >= capacityGb);
  const [best] = fits.sort((a, b) => Number(isHome(b.id)) - Number(isHome(a.id)) || b.freeGb - a.freeGb);
  if (best) return best.id;
  throw noRoom(capacityGb, Math.max(0, ...rooms.map(({ freeGb }) => freeGb)));
}

/** Throws `unavailable` (reasons `no_disk`, `node_away`) if a volume cannot grow by so much. */
export async function assertRoomToGrow(
  tx: Prisma.TransactionClient,
  { nodeId, mode, addingGb }: { nodeId: string; mode: Mode; addingGb: number },
): Promise<void> {
  const room = (await freeRooms(tx, mode)).find(({ id }) => id === nodeId);
  if (!room) throw nodeUnreachable();
  if (room.freeGb < addingGb) throw noRoom(addingGb, Math.max(0, room.freeGb));
}

export const nodeUnreachable = (): ServiceError =>
  new ServiceError("unavailable", "The node with the volume does not report at present; svc tries again.", {
    details: { reason: "node_away" },
  });

async function freeRooms(tx: Prisma.TransactionClient, mode: Mode): Promise<{ id: string; freeGb: number }[]> {
  const nodes = (await lockNodes(tx, null)).filter((node) => holdsVolumes(node, mode));
  const [used, ofPods] = [await usedVolumesGb(tx, { id: "" }), await usedRooms(tx)];
  return nodes.map(({ id, volumesGb, diskMb }) => {
    const left = volumesGb === null ? Number.POSITIVE_INFINITY : volumesGb - (used.get(id) ?? 0);
    const unpromised = freeDiskMb({ diskMb, ...(ofPods.get(id) ?? NOTHING_USED) }) / MB_PER_GB;
    return { id, freeGb: Math.min(left, Math.floor(unpromised)) };
  });
}

const noRoom = (neededGb: number, freeGb: number): ServiceError =>
  new ServiceError("unavailable", `It needs ${neededGb} GiB of the disk of one node; ${freeGb} GiB are free.`, {
    details: { reason: "no_disk" },
  });
