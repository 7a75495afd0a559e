import type { ObjectSchema } from "../../../components/form/field-schema";

/** A tool as the endpoint lists it with whole schemas. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  /** A hint that is absent has its default: not read-only, and destructive. */
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

export interface ToolResult {
  isError?: boolean;
  content: { text?: string }[];
  structuredContent?: unknown;
}

interface HttpResult {
  result?: unknown;
  error?: { message: string };
}

const VERSION = "2025-11-25";

/** Sends one request to the endpoint for agents of this origin. Throws an Error with svc's sentence. */
async function ask(key: string, method: string, params: object): Promise<unknown> {
  const response = await fetch("/v1/mcp?schemas=full", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${key}`,
      "mcp-protocol-version": VERSION,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = lastAnswer(await response.text());
  if (error || result === undefined) throw new Error(error?.message ?? `svc responded ${response.status}.`);
  return result;
}

/** The answer is JSON, or the last of the server-sent events of a body. */
function lastAnswer(body: string): HttpResult {
  const text = body.startsWith("{")
    ? body
    : (body
        .match(/^data: ?(.+)$/gm)
        ?.at(-1)
        ?.replace(/^data: ?/, "") ?? "{}");
  return JSON.parse(text) as HttpResult;
}

/** The tools that a key can call, of all pages. */
export async function listTools(key: string): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = (await ask(key, "tools/list", cursor === undefined ? {} : { cursor })) as {
      tools: Tool[];
      nextCursor?: string;
    };
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

export const callTool = (key: string, name: string, given: object): Promise<ToolResult> =>
  ask(key, "tools/call", { name, arguments: given }) as Promise<ToolResult>;
