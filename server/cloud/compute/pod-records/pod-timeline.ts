import type { Pod, Prisma } from "../../../engines/postgres/generated/client";

export const TIMELINE_TYPES = [
  "created",
  "waiting",
  "placed",
  "ready",
  "stop_requested",
  "paused",
  "resumed",
  "reclaim_announced",
  "reclaimed",
  "checkpoint_saved",
  "checkpoint_failed",
  "files_restored",
  "stopped",
  "completed",
  "failed",
  "started_again",
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

/** Adds to what people read about a pod, not of a sandbox; the message is a sentence. The pod is locked, or created in `tx`. */
export async function addToTimeline(
  tx: Prisma.TransactionClient,
  { id, kind, runNumber }: Pick<Pod, "id" | "kind" | "runNumber">,
  { type, message, at }: { type: TimelineType; message: string; at: Date },
): Promise<void> {
  if (kind !== "pod") return;
  const last = await tx.podTimelineEntry.aggregate({ where: { podId: id }, _max: { number: true } });
  const number = (last._max.number ?? 0) + 1;
  await tx.podTimelineEntry.create({ data: { podId: id, number, run: runNumber, type, message, at } });
}
