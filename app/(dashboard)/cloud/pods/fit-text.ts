import type { Outputs } from "../../../trpc/client";

type Pool = Pick<Outputs["cloud"]["gpuPools"]["list"]["data"][number], "free_gpus" | "largest_free" | "spot_gpus">;

/** Whether a pod with so many GPUs on one node finds them now, and what happens if it does not. */
export function fitText({ free_gpus: free, largest_free: largest, spot_gpus: spot }: Pool, wanted: Wanted): string {
  const now = `${free} ${free === 1 ? "GPU is" : "GPUs are"} free, at most ${largest} on one node`;
  if (wanted.count <= largest) return `Fits now: ${now}.`;
  if (!wanted.isSpot && spot > 0) {
    return `Does not fit now: ${now}. Spot pods are given notice for it if that makes room, which takes 30 seconds.`;
  }
  return `Does not fit now: ${now}. The pod waits until others have ended.`;
}

interface Wanted {
  count: number;
  isSpot: boolean;
}
