import { PROMISED_DISK_BYTES } from "../../../engines/runtime/promised-disk";

/** Why a pod cannot run now. */
export interface Blocked {
  code:
    | ("no_gpus" | "no_memory" | "no_disk" | "no_node" | "volume_away" | "node_away")
    | ("reclaiming_spot" | "gang_incomplete" | "node_upgrading");
  message: string;
}

/** What a pod is promised of the disk of its node, in MiB, beside its volume. */
export const POD_DISK_MB = PROMISED_DISK_BYTES / 1024 ** 2;
const MB_PER_GB = 1024;

/** A node that runs workloads, and what its runs reserve. */
export interface NodeResources {
  id: string;
  memoryMb: number;
  usedMb: number;
  /** MiB that its pods may be promised of its disk beside the volumes; null: not known, and no limit. */
  diskMb?: number | null;
  usedDiskMb?: number;
  /** GiB; null: it is not known how many there are. */
  volumesGb?: number | null;
  usedVolumesGb?: number;
}

export interface NeededRoom {
  memoryMb: number;
  /** null: it has none. */
  volumeGb?: number | null;
  /** The node that has its volume. */
  homeId?: string | undefined;
}

/**
 * The node that has the volume, or else the one with the most free memory, the first among equals; or why none has
 * enough.
 */
export function chooseNode(nodes: readonly NodeResources[], needed: NeededRoom): { nodeId: string } | Blocked {
  const { memoryMb, homeId } = needed;
  const [most] = byFree(nodes, freeMb);
  if (!most) return { code: "no_node", message: "No node that can run pods is running at present." };
  const home = nodes.find(({ id }) => id === homeId);
  if (home && freeMb(home) >= memoryMb && freeDiskMb(home) >= POD_DISK_MB) return { nodeId: home.id };
  const where = nodes.length === 1 ? "this installation" : "the node with the most room";
  if (freeMb(most) < memoryMb) {
    const left = `${Math.max(0, freeMb(most))} of ${most.memoryMb} MiB`;
    return { code: "no_memory", message: `The pod needs ${memoryMb} MiB of memory; ${left} are free on ${where}.` };
  }
  const volumeGb = needed.volumeGb ?? 0;
  const withVolume = nodes.filter((node) => freeGb(node) >= volumeGb);
  const [roomiest = most] = byFree(nodes, freeGb);
  if (withVolume.length === 0) {
    const left = `${Math.max(0, freeGb(roomiest))} of ${roomiest.volumesGb ?? 0} GiB`;
    return {
      code: "no_disk",
      message: `The pod needs ${volumeGb} GiB of disk for its volume; ${left} are free on ${where}.`,
    };
  }
  // A volume that its node does not have yet takes of what pods may be promised there.
  const diskMb = POD_DISK_MB + volumeGb * MB_PER_GB;
  const [best] = byFree(
    withVolume.filter((node) => freeDiskMb(node) >= (node === home ? POD_DISK_MB : diskMb)),
    freeMb,
  );
  if (best && freeMb(best) >= memoryMb) return { nodeId: best.id };
  if (best) {
    const disk = `${diskMb / MB_PER_GB} GiB of disk`;
    return { code: "no_memory", message: `No node has both ${memoryMb} MiB of memory and ${disk} free.` };
  }
  const [emptiest = most] = byFree(withVolume, freeDiskMb);
  const left = `${Math.max(0, freeDiskMb(emptiest))} of ${emptiest.diskMb ?? 0} MiB`;
  return { code: "no_disk", message: `The pod needs ${diskMb} MiB of disk; ${left} are free on ${where}.` };
}

const freeMb = ({ memoryMb, usedMb }: NodeResources): number => memoryMb - usedMb;

/** What a node may still promise to pods and new volumes, in MiB. */
export const freeDiskMb = ({ diskMb, usedDiskMb = 0 }: Pick<NodeResources, "diskMb" | "usedDiskMb">): number =>
  diskMb == null ? Number.POSITIVE_INFINITY : diskMb - usedDiskMb;

const freeGb = ({ volumesGb, usedVolumesGb = 0 }: NodeResources): number =>
  volumesGb == null ? Number.POSITIVE_INFINITY : volumesGb - usedVolumesGb;

const byFree = (nodes: readonly NodeResources[], free: (node: NodeResources) => number): NodeResources[] =>
  [...nodes].sort((a, b) => free(b) - free(a));
