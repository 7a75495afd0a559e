import type { AgentTask, AgentTaskOutcome } from "../../identity/agent-tasks/agent-task";

/** The extension of the revision 2026-07-28. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";
/** The revision whose core has tasks. */
export const TASKS_REVISION = "2025-11-25";
const RELATED_TASK = "io.modelcontextprotocol/related-task";
/** Between two requests for the state of a task, as clients are told. */
const POLL_MS = 2000;

/** A task in the revision 2025-11-25, where a call whose result is an error of the tool has failed. */
export const coreTask = ({ id, createdAt, updatedAt, ttlMs, ...task }: AgentTask) => ({
  taskId: id,
  status: task.isError ? ("failed" as const) : task.status,
  statusMessage: messageOf(task),
  createdAt: createdAt.toISOString(),
  lastUpdatedAt: updatedAt.toISOString(),
  ttl: ttlMs,
  pollInterval: POLL_MS,
});

/** A task in the extension. */
export const extensionTask = ({ id, createdAt, updatedAt, ttlMs, ...task }: AgentTask) => ({
  taskId: id,
  status: task.status,
  statusMessage: messageOf(task),
  createdAt: createdAt.toISOString(),
  lastUpdatedAt: updatedAt.toISOString(),
  ttlMs,
  pollIntervalMs: POLL_MS,
});

/** The same with what it ended with. */
export const detailedTask = (task: AgentTask, outcome: AgentTaskOutcome | undefined) => ({
  ...extensionTask(task),
  ...(outcome && "error" in outcome && { statusMessage: outcome.error.message }),
  ...outcome,
});

/** The result of a call as `tasks/result` returns it. */
export function resultOfTask(result: Record<string, unknown>, taskId: string): Record<string, unknown> {
  const { _meta } = result as { _meta?: object };
  return { ...result, _meta: { ..._meta, [RELATED_TASK]: { taskId } } };
}

function messageOf({ tool, status, isError }: Pick<AgentTask, "tool" | "status" | "isError">): string {
  if (status === "working") return `${tool} runs.`;
  if (status === "cancelled") return `${tool} was cancelled.`;
  if (status === "failed") return `${tool} was interrupted.`;
  return isError ? `${tool} ended with an error.` : `${tool} has ended.`;
}
