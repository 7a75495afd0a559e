import type { Prisma } from "../../../engines/postgres/generated/client";
import { assertQuota } from "../../../identity/quotas/assert-quota";
import { VOLUME_QUOTAS } from "../../data/volumes/volumes.quotas";
import { purchaseOf } from "../pod-records/stored-pod";
import { gpuQuota } from "../pools/gpu-quotas";
import type { GpusOfPod, PodRequest } from "./pod-request";
import { POD_QUOTAS } from "./pods.quotas";

interface AskedPod {
  tenantId: string;
  input: PodRequest;
  gpus: GpusOfPod;
}

/**
 * Throws `quota_exceeded` for one more pod: of its tenant, of its on-demand GPUs in the region, and of its volume. Creations
 * of the tenant wait for each other from then on.
 */
export async function assertPodQuotas(
  tx: Prisma.TransactionClient,
  { tenantId, input, gpus }: AskedPod,
): Promise<void> {
  await assertQuota(tx, { tenantId }, POD_QUOTAS.pods);
  if (gpus.gpu && purchaseOf(input) === "on_demand")
    await assertQuota(tx, { tenantId, adding: gpus.gpuCount }, gpuQuota(gpus.gpu, gpus.region));
  if (input.volume) await assertQuota(tx, { tenantId, adding: input.volume.size_gb }, VOLUME_QUOTAS.volume_gb);
}
