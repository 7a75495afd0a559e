import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallToolResult,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AgentHandlers } from "../../../server/surfaces/mcp/exchange";
import { requireTasks } from "../../../server/surfaces/mcp/tasks-offered";

/** A red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** Without a sample. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const PROGRESS_MS = 50;
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const text = (words: string) => ({ type: "text", text: words }) as const;
const embedded = (uri: string, words: string, mimeType = "text/plain") =>
  ({ type: "resource", resource: { uri, mimeType, text: words } }) as const;

type Run = (context: ServerContext, given: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>;

const TOOLS: Readonly<Record<string, Run>> = {
  greet: (_, { name }) => ({ content: [text(`Hello, ${name}!`)] }),
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  }),
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", words, "test");
      await sleep(PROGRESS_MS);
    }
    return { content: [text("Done.")] };
  },
  test_tool_with_progress: async ({ mcpReq: { _meta, notify } }) => {
    const progressToken = _meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progress, total: 100 };
      if (progressToken !== undefined)
        await notify({ method: "notifications/progress", params: { ...params, progressToken } });
      await sleep(PROGRESS_MS);
    }
    return { content: [text("Done.")] };
  },
};

/** Longer than svc waits before a call becomes a task. */
const JOB_MS = 1500;

/** Tools whose calls can be tasks. */
const JOBS: Readonly<Record<string, Run>> = {
  slow_compute: async ({ mcpReq: { signal } }, { seconds }) => {
    // A call that would end at the very moment at which it becomes a task may end without one.
    await sleep(Number(seconds) && Math.max(Number(seconds) * 1000, JOB_MS), undefined, { signal });
    return { content: [text("Computed.")] };
  },
  failing_job: async (context) => {
    requireTasks(context);
    await sleep(JOB_MS);
    return { isError: true, content: [text("The job has failed.")] };
  },
  protocol_error_job: async () => {
    await sleep(JOB_MS);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "The job has panicked.");
  },
};

const message = (content: GetPromptResult["messages"][number]["content"]) => ({ role: "user" as const, content });

const PROMPTS: Readonly<Record<string, (given: Readonly<Record<string, string>>) => GetPromptResult["messages"]>> = {
  test_simple_prompt: () => [message(text("This is a simple prompt for testing."))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    message(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    message(embedded(resourceUri, "Embedded resource content for testing.")),
    message(text("Please process the embedded resource above.")),
  ],
  test_prompt_with_image: () => [message(image), message(text("Please analyze the image above."))],
};

function contentsOf(uri: string) {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return [{ uri, mimeType: "application/json", text: JSON.stringify(data) }];
  }
  if (uri === "test://static-text")
    return [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }];
  if (uri === "test://static-binary") return [{ uri, mimeType: "image/png", blob: PNG }];
  return undefined;
}

/** Gives svc what the official conformance suite calls; its lists and everything else stay svc's own. */
export const withFixtures = (own: AgentHandlers): AgentHandlers => ({
  callTool: async (params, context) => {
    const run = TOOLS[params.name] ?? JOBS[params.name];
    return run ? run(context, params.arguments ?? {}) : own.callTool(params, context);
  },
  mayBeTask: (name) => name in JOBS || own.mayBeTask(name),
  complete: async (params, context) => {
    if (params.ref.type === "ref/prompt" && params.ref.name in PROMPTS) return { completion: { values: ["paris"] } };
    return own.complete(params, context);
  },
  getPrompt: async (params) => {
    const messages = PROMPTS[params.name];
    return messages ? { messages: messages(params.arguments ?? {}) } : own.getPrompt(params);
  },
  readResource: async (params, context) => {
    const contents = contentsOf(params.uri);
    return contents ? { contents } : own.readResource(params, context);
  },
});
