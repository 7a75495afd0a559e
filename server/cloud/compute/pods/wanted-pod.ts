import type { Prisma } from "../../../engines/postgres/generated/client";
import { newId } from "../../../kernel/ids";
import type { Mode } from "../../../operation/actor";
import type { PodToPlace } from "../placement/pod-to-place";
import { isWaiting, membersOf } from "../pod-records/gang";
import { LAST_RUN, LIFETIME_MS, POD_ID_PREFIX, runIdOf } from "../pod-records/stored-pod";
import type { GpusOfPod, PodRequest } from "../pod-requests/pod-request";

/** A pod that does not exist, and the gang that it would be placed with. */
export interface WantedPod {
  pod: PodToPlace;
  runId: string;
  /** How many pods are to be created: those that the gang lacks, or 1. */
  missing: number;
  /** The pods of the gang that wait already. */
  waiting: readonly PodToPlace[];
  /** How many pods of the gang have notice. */
  ending: number;
}

interface PodInput {
  owner: { tenantId: string; projectId: string; mode: Mode };
  input: PodRequest;
  gpus: GpusOfPod;
  /** The only node that may run it; null: any. */
  requiredNodeId: string | null;
  now: Date;
}

/** Reads what a pod that does not exist would be placed as. */
export async function wantedPod(
  tx: Prisma.TransactionClient,
  { owner, input, gpus, now, requiredNodeId }: PodInput,
): Promise<WantedPod> {
  const { cpu, memory_mb: memoryMb, ports, spot, gang, reservationId } = input;
  const id = newId(POD_ID_PREFIX, now.getTime());
  const pod: PodToPlace = {
    id,
    kind: "pod",
    runNumber: 1,
    ...owner,
    ...gpus,
    cpu,
    memoryMb,
    ports,
    volumeGb: input.volume?.size_gb ?? null,
    spot,
    autoResume: input.auto_resume,
    reservationId,
    requiredNodeId,
    gangName: gang?.name ?? null,
    gangSize: gang?.size ?? null,
    reasonCode: null,
    reasonText: null,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
  };
  const runId = runIdOf(id, 1);
  if (!gang) return { pod, runId, missing: 1, waiting: [], ending: 0 };
  const members = await tx.pod.findMany({ where: membersOf({ ...owner, gangName: gang.name }), include: LAST_RUN });
  const ending = members.filter(({ status }) => status === "reclaiming").length;
  return { pod, runId, missing: Math.max(0, gang.size - members.length), waiting: members.filter(isWaiting), ending };
}
