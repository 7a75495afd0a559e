import type { NodeCapacity } from "../gpu-nodes/gpu-nodes.sql";
import { type Blocked, POD_DISK_MB } from "./choose-node";

/** Why a gang waits whose pods were given nodes: one of these does not have the disk for all of its own; undefined: all have. */
export function gangDisk(
  nodes: readonly Pick<NodeCapacity, "node" | "disksFree">[],
  places: readonly { node: string }[],
): Blocked | undefined {
  for (const { node, disksFree } of nodes) {
    const members = places.filter((place) => place.node === node).length;
    if (disksFree === null || members <= disksFree) continue;
    const [needed, left] = [members * POD_DISK_MB, Math.max(0, disksFree) * POD_DISK_MB];
    return { code: "no_disk", message: `Its pods on ${node} need ${needed} MiB of disk; ${left} MiB are free there.` };
  }
  return undefined;
}
