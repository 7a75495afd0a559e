import type { Outputs } from "../../../../trpc/client";
import { useQueryOf } from "../../../../trpc/use-operation";
import type { Queue } from "../queue";

const QUEUES_MAX = 1000;

type ProjectQueue = Outputs["listQueues"]["data"][number];

/** The queues of the same project and mode, and those of them whose dead-letter queue this one is. */
export function useProjectQueues({ name, project_id, mode }: Pick<Queue, "name" | "project_id" | "mode">): {
  queues: ProjectQueue[];
  sources: ProjectQueue[];
} {
  const list = useQueryOf("listQueues", { mode, project: project_id, limit: QUEUES_MAX });
  const queues = list.data?.data ?? [];
  return { queues, sources: queues.filter(({ dlq }) => dlq === name) };
}
