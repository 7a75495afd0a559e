import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import { claimOfGang, type GangClaim } from "../../core/gang-claims/gang-claims";
import type { StoredPod } from "./stored-pod";

/** What all pods of a gang have in common. */
export type GangMember = Pick<
  Pod,
  | ("projectId" | "mode" | "gangName" | "gangSize" | "gpu" | "gpuCount" | "region" | "cpu" | "memoryMb")
  | ("spot" | "autoResume" | "reservationId" | "requiredNodeId")
>;

/** Which gang a pod belongs to: a name is unique in its project and mode. */
export type GangKey = Pick<Pod, "projectId" | "mode"> & { gangName: string };

const SAME: [keyof GangMember, string][] = [
  ["gangSize", "gang.size"],
  ["gpu", "gpu"],
  ["gpuCount", "gpu_count"],
  ["region", "region"],
  ["cpu", "cpu"],
  ["memoryMb", "memory_mb"],
  ["spot", "spot"],
  ["autoResume", "auto_resume"],
  ["reservationId", "reservation_id"],
];

/** The pods of a gang that wait or run. */
export const membersOf = ({ projectId, mode, gangName }: GangKey) => ({
  projectId,
  mode,
  gangName,
  deletedAt: null,
  status: { in: ["pending", "ready", "reclaiming"] satisfies Pod["status"][] },
});

/** A pod that is created or started, as far as limits count it. */
type CountedPod = Pick<Pod, "tenantId" | "projectId" | "mode" | "gangName" | "gangSize" | "gpuCount" | "volumeGb"> & {
  /** Its id if it exists already. */
  id?: string;
};

/**
 * What a pod adds to the limits of its tenant when it begins to wait: for a single pod its own needs. The first pod of a
 * gang that waits adds those of all pods that the gang lacks, and the others nothing more (`gangClaims`). Exact only
 * while creations of the tenant wait for each other.
 */
export async function neededByMember(tx: Prisma.TransactionClient, pod: CountedPod): Promise<GangClaim> {
  const { tenantId, projectId, mode, gangName, gangSize, gpuCount } = pod;
  const isNew = pod.id === undefined;
  const volumeGb = isNew ? (pod.volumeGb ?? 0) : 0;
  if (gangName === null || gangSize === null) return { pods: isNew ? 1 : 0, gpus: gpuCount, volumeGb };
  const gang = { projectId, mode, gangName };
  const claim = await claimOfGang(tx, tenantId, gang);
  if (claim) {
    const claimedGb = claim.pods > 0 ? claim.volumeGb / claim.pods : 0;
    const isClaimed = !isNew || claim.pods > 0;
    return { pods: isClaimed ? 0 : 1, gpus: 0, volumeGb: Math.max(0, volumeGb - claimedGb) };
  }
  const all = await tx.pod.count({ where: { ...gang, deletedAt: null } });
  const active = await tx.pod.count({ where: membersOf(gang) });
  return {
    pods: Math.max(isNew ? 1 : 0, gangSize - all),
    gpus: gpuCount * Math.max(1, gangSize - active),
    volumeGb: all === 0 ? volumeGb * gangSize : volumeGb,
  };
}

/** Whether the current run of a pod waits for capacity. */
export const isWaiting = ({ status, runs: [run] }: StoredPod): boolean =>
  status === "pending" && run !== undefined && run.nodeId === null && run.endedAt === null;

/**
 * Throws `conflict` if a pod differs from those that its gang has, or the gang has all its pods (reasons `gang_differs`,
 * `gang_complete`). Exact only while creations of the tenant wait for each other.
 */
export async function assertGangRoom(tx: Prisma.TransactionClient, pod: GangMember): Promise<void> {
  const { gangName, gangSize } = pod;
  if (gangName === null || gangSize === null) return;
  const members = await tx.pod.findMany({ where: membersOf({ ...pod, gangName }), take: gangSize });
  const [first] = members;
  if (!first) return;
  if (first.requiredNodeId !== pod.requiredNodeId) {
    throw conflict("gang_differs", "volumes", `what the pods of the gang ${gangName} have attached is on another node`);
  }
  const different = SAME.find(([field]) => first[field] !== pod[field]);
  if (different) {
    const [field, param] = different;
    const value = first[field] === null ? `no ${param}` : `${param} ${first[field]}`;
    throw conflict("gang_differs", param, `the pods of the gang ${gangName} have ${value}`);
  }
  if (members.length < gangSize) return;
  throw conflict("gang_complete", "gang", `the gang ${gangName} has its ${gangSize} pods; choose another name`);
}

const conflict = (reason: string, param: string, why: string): ServiceError =>
  new ServiceError("conflict", `${param}: ${why}.`, { param, details: { reason } });
