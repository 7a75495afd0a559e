import type { Prisma } from "../../../engines/postgres/generated/client";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import type { Mode } from "../../../operation/actor";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { neededByMember } from "../pod-records/gang";
import { purchaseOf } from "../pod-records/stored-pod";
import { gpuQuota } from "../pools/gpu-quotas";
import type { GpusOfPod, PodRequest } from "./pod-request";
import { POD_QUOTAS } from "./pods.quotas";

interface AskedPod {
  owner: { tenantId: string; projectId: string; mode: Mode };
  input: PodRequest;
  gpus: GpusOfPod;
}

/** Creations of the tenant wait for each other from then on. */
export const lockPodQuotas = (tx: Prisma.TransactionClient, tenantId: string): Promise<void> =>
  assertQuota(tx, { tenantId, adding: 0 }, POD_QUOTAS.pods);

/**
 * Throws `quota_exceeded` for one more pod: of its tenant, of its on-demand GPUs in the region, and of its volume. The first
 * pod of a gang counts for all of them. Returns how many GPUs it adds to those that count. Call `lockPodQuotas` before.
 */
export async function assertPodQuotas(
  tx: Prisma.TransactionClient,
  { owner, input, gpus }: AskedPod,
): Promise<{ addedGpus: number }> {
  const { tenantId } = owner;
  const { gang, volume } = input;
  const pod = { ...owner, gpuCount: gpus.gpuCount, volumeGb: volume?.size_gb ?? null };
  const added = await neededByMember(tx, { ...pod, gangName: gang?.name ?? null, gangSize: gang?.size ?? null });
  await assertQuota(tx, { tenantId, adding: added.pods }, POD_QUOTAS.pods);
  if (gpus.gpu && purchaseOf(input) === "on_demand")
    await assertQuota(tx, { tenantId, adding: added.gpus }, gpuQuota(gpus.gpu, gpus.region));
  await assertQuota(tx, { tenantId, adding: added.volumeGb }, VOLUME_QUOTAS.volume_gb);
  return { addedGpus: added.gpus };
}
