import type { Question } from "../../../components/ui/confirm";
import { useMutationOf } from "../../../trpc/use-operation";
import { isActive, type Pod } from "./pod";

/** Stops and starts a pod; undefined where its status or its age does not allow it. */
export function usePodRuns({ id, status, expires_at }: Pod) {
  const stop = useMutationOf("stopPod", { meta: { done: "The pod is being stopped." } });
  const start = useMutationOf("startPod", { meta: { done: "The pod is being started." } });
  const isExpired = Date.parse(expires_at) <= Date.now();
  const isStartable = !isActive({ status }) && !isExpired;
  const isStoppable = isActive({ status }) && status !== "stopping";
  return {
    isPending: stop.isPending || start.isPending,
    stop: isStoppable ? () => stop.mutate({ id }) : undefined,
    /** With its files. */
    start: isStartable ? () => start.mutate({ id, from: "files" }) : undefined,
    startFromImage: isStartable ? () => start.mutate({ id, from: "image" }) : undefined,
    startFrom: isStartable
      ? (checkpointId: string) => start.mutate({ id, from: "checkpoint", checkpoint_id: checkpointId })
      : undefined,
  };
}

/** What is asked before a pod is deleted. */
export const deletionOf = (pod: Pod): Question => ({
  title: `Delete ${pod.name}?`,
  consequence: `${isActive(pod) ? "Its processes are killed at once; to let them end by themselves, stop it first. " : ""}Its files, its checkpoints and its output are deleted, which cannot be undone. What it used stays metered.`,
  action: "Delete pod",
});
