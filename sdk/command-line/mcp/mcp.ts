import { stringifyJson } from "../../exact-json";
import { EXIT } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { printableText } from "../terminal-text";
import { type Message, type Send, type SenderFlags, sender } from "./send-message";

const VERSION = "2025-11-25";

interface McpFlags extends SenderFlags {
  json?: boolean;
  arguments?: Record<string, unknown>;
}

interface ShownTool {
  name: string;
  description?: string;
}

/** `svc mcp tools`: the tools of the key's scopes, by name; as JSON with their whole schemas. */
export async function listTools({ flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as McpFlags;
  const send = sender(flags, io, flags.json ? "?schemas=full" : "");
  const tools: ShownTool[] = [];
  let cursor: string | undefined;
  do {
    const { result, error } = await ask(send, "tools/list", cursor === undefined ? {} : { cursor });
    if (error) return refused(error, io);
    tools.push(...((result?.tools ?? []) as ShownTool[]));
    cursor = result?.nextCursor as string | undefined;
  } while (cursor !== undefined);
  if (flags.json) io.stdout.write(`${stringifyJson(tools, 2)}\n`);
  else {
    const width = Math.max(0, ...tools.map(({ name }) => name.length));
    for (const { name, description = "" } of tools) {
      io.stdout.write(printableText(`${name.padEnd(width)}  ${firstSentenceOf(description)}\n`));
    }
  }
  return EXIT.ok;
}

const firstSentenceOf = (text: string): string => /^.*?[^.](?=\.(?: |$))/.exec(text)?.[0] ?? text;

interface ToolResult {
  isError?: boolean;
  content?: { text?: string }[];
  structuredContent?: unknown;
}

/** `svc mcp call <tool>`: prints the result, or on standard error what the tool rejected. */
export async function callTool({ input, flags: given }: Arguments, io: Io): Promise<number> {
  const flags = given as McpFlags;
  const send = sender(flags, io);
  const params = { name: input.tool, arguments: flags.arguments ?? {} };
  const { result, error } = await ask(send, "tools/call", params);
  if (error) return refused(error, io);
  const { isError, content = [], structuredContent } = result as ToolResult;
  const text = content.map((part) => part.text ?? "").join("\n");
  if (flags.json) io.stdout.write(`${stringifyJson(result, 2)}\n`);
  else if (isError) io.stderr.write(printableText(`svc: ${text.split("\n", 1)[0]}\n`));
  else if (structuredContent === undefined) io.stdout.write(printableText(`${text}\n`));
  else io.stdout.write(`${stringifyJson(structuredContent, 2)}\n`);
  return isError ? EXIT.refused : EXIT.ok;
}

/** The answer to one request; the messages before it are progress. */
async function ask(send: Send, method: string, params: object): Promise<Message> {
  const request = stringifyJson({ jsonrpc: "2.0", id: 1, method, params });
  for await (const message of send(request, { "mcp-protocol-version": VERSION })) {
    if (message.result !== undefined || message.error !== undefined) return message;
  }
  return { error: { code: 0, message: "svc ended the response without an answer." } };
}

function refused({ message, data }: NonNullable<Message["error"]>, io: Io): number {
  io.stderr.write(printableText(`svc: ${message}\n`));
  if (data?.code === "unauthorized") return EXIT.notLoggedIn;
  return data?.code === "rate_limited" ? EXIT.limited : EXIT.refused;
}
