import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  GetPromptRequest,
  GetPromptResult,
  ReadResourceRequest,
  ReadResourceResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import type { EventSubscribers } from "../../identity/events/event-subscribers";
import type { CalledTool } from "../../identity/tool-calls/tool-call";
import type { Clock } from "../../kernel/clock";
import type { CursorScope } from "../../kernel/cursor";
import type { Actor } from "../../operation/actor";
import type { Caller } from "../../operation/authorize";
import type { PipelineParts } from "../../operation/pipeline";
import type { RateLimitStatus } from "../../operation/rate-limit";
import type { RequestMeta } from "../../operation/request-meta";
import type { LogLevels } from "./log-levels";
import type { RunningTasks } from "./running-tasks";
import type { ToolView } from "./tool-view";

export interface McpParts {
  /** Without the path. */
  publicUrl: string;
  /** Counts every request that is not a call of a tool. */
  pipeline: PipelineParts<Caller>;
  /** Counts each call of a tool for its scope. */
  toolPipeline: PipelineParts<Caller>;
  authenticate: (token: string, meta: RequestMeta) => Promise<Actor | undefined>;
  log: Logger;
  clock: Clock;
  /** Records each call of a tool by a key. */
  toolCalls: { record(call: CalledTool): void };
  subscribers: EventSubscribers;
  logLevels: LogLevels;
  tasks: RunningTasks;
  cursors: Pick<CursorScope, "key" | "clock">;
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal;
  /** Replaces what runs requests; for tests of the protocol. */
  replaceHandlers?: ((own: AgentHandlers) => AgentHandlers) | undefined;
}

/** What runs the requests that are no lists. */
export interface AgentHandlers {
  callTool(params: CallToolRequest["params"], context: ServerContext): Promise<CallToolResult>;
  /** Whether calls of a tool can be tasks. */
  mayBeTask(name: string): boolean;
  complete(params: CompleteRequest["params"], context: ServerContext): Promise<CompleteResult>;
  getPrompt(params: GetPromptRequest["params"]): Promise<GetPromptResult>;
  readResource(params: ReadResourceRequest["params"], context: ServerContext): Promise<ReadResourceResult>;
}

/** One message of a client with valid credentials, until its response is sent; nothing that it calls is counted again. */
export interface Exchange {
  caller: { actor: Actor };
  meta: RequestMeta;
  request: Request;
  /** What the address of the request says about the tools. */
  view: ToolView;
  /** The revision of a message without an envelope; undefined: the first one. */
  revision?: string | undefined;
  /** The limits that the message was counted against, for the response headers. */
  limits: readonly RateLimitStatus[];
}
