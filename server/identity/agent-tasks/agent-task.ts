import type { Actor } from "../../operation/actor";

export const AGENT_TASK_ID_PREFIX = "task";

export type AgentTaskStatus = "working" | "completed" | "failed" | "cancelled";

/** An error of JSON-RPC. */
export interface RpcFailure {
  code: number;
  message: string;
  data?: unknown;
}

/** What a call ended with: the result of its tool, which may be an error of the tool, or an error of the protocol. */
export type AgentTaskOutcome = { result: Record<string, unknown> } | { error: RpcFailure };

/** A call of a tool that runs in the background. */
export interface AgentTask {
  id: string;
  tool: string;
  status: AgentTaskStatus;
  /** The result of a completed call is an error of the tool. */
  isError: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** From its creation; when it has passed, the task cannot be seen and its call ends. */
  ttlMs: number;
}

/** Who can see a task: the keys of a project and mode, or one user. */
export interface TaskHolder {
  tenantId: string;
  holder: string;
}

export const holderOf = (actor: Actor): TaskHolder => ({
  tenantId: actor.tenantId,
  holder: actor.kind === "key" ? `${actor.projectId} ${actor.mode}` : actor.userId,
});
