import type { Outputs } from "../../../trpc/client";

export type Queue = Outputs["cloud"]["queues"]["get"];
export type Figures = Queue["figures"];
export type ListedQueue = Outputs["cloud"]["queues"]["listWithFigures"]["data"][number];
/** The settings that the form edits. */
export type QueueSettings = Omit<Queue, "figures">;
