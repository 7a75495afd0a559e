import type { Outputs } from "../../../trpc/client";

export type Queue = Outputs["getQueue"];
export type ListedQueue = Outputs["listQueueFigures"]["data"][number];
/** The settings that the form edits. */
export type QueueSettings = Omit<Queue, "figures">;
