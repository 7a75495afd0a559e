import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import type { GpuModel } from "../../core/prices/gpu-models";
import { priceNanosPerHour } from "../../core/prices/pod-cost";
import { addToTimeline } from "../pod-records/pod-timeline";
import { purchaseOf, runIdOf } from "../pod-records/stored-pod";
import { type PlaceCtx, placeRun } from "./place-run";

/** The first values of a pod that do not follow from its creation. */
interface NewPod
  extends Omit<
    Prisma.PodUncheckedCreateInput,
    "gpu" | "status" | "oomKilled" | "runNumber" | "meteredSeconds" | "priceNanosPerHour" | "runs"
  > {
  gpu: GpuModel | null;
  gpuCount: number;
  createdAt: Date;
}

/**
 * Inserts a pod of any kind with its first run, and places that if there is capacity; otherwise it waits. Returns the row
 * as it was inserted.
 */
export async function insertPod(ctx: PlaceCtx, pod: NewPod): Promise<Pod> {
  const { id, gpu, gpuCount, cpu, memoryMb, spot = false, reservationId = null, createdAt } = pod;
  const purchase = purchaseOf({ spot, reservationId });
  const row = await ctx.db.pod.create({
    data: {
      ...pod,
      status: "pending",
      oomKilled: false,
      runNumber: 1,
      meteredSeconds: 0,
      priceNanosPerHour: priceNanosPerHour({ purchase, gpu, gpuCount, cpu, memoryMb }),
      runs: { create: { id: runIdOf(id, 1), number: 1, createdAt } },
    },
  });
  await addToTimeline(ctx.db, row, {
    type: "created",
    message: `The pod was created from ${pod.image}.`,
    at: createdAt,
  });
  await placeRun(ctx, row, createdAt);
  return row;
}
