import type { Prisma } from "../../../engines/postgres/generated/client";
import type { Blocked } from "./choose-node";
import type { CandidateNode } from "./pod-nodes.sql";
import type { PodToPlace } from "./pod-to-place";
import { usedVolumesGb, volumeHome } from "./volumes.sql";

interface VolumeNeeds {
  /** What volumes of other pods reserve, by node, in GiB. */
  usedGb: ReadonlyMap<string, number>;
  /** The node that has the volume; undefined: none that reports. */
  homeId?: string | undefined;
}

/**
 * What placing needs to know about the volume of a pod. A pod waits for the node that has its volume, unless a
 * checkpoint has all of it: an older state never replaces a newer one without a request.
 */
export async function volumeNeeds(
  tx: Prisma.TransactionClient,
  pod: PodToPlace,
  nodes: readonly CandidateNode[],
): Promise<VolumeNeeds | Blocked> {
  if (pod.volumeGb === null) return { usedGb: new Map() };
  const home = await volumeHome(tx, pod);
  const isThere = nodes.some(({ id }) => id === home?.nodeId);
  if (home && !isThere && !home.isSaved) return AWAY;
  return { usedGb: await usedVolumesGb(tx, pod), homeId: home?.nodeId };
}

const AWAY: Blocked = {
  code: "volume_away",
  message:
    "The node with the volume does not report at present, and no checkpoint has all of it. The pod waits for the node; to continue with an older state, stop it and start it from a checkpoint.",
};
