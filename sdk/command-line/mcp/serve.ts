import { stringifyJson } from "../../exact-json";
import { EXIT } from "../errors";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { type Send, type SenderFlags, sender } from "./send-message";

/** One message; more would fill the memory. */
const LINE_CHARACTERS_MAX = 4 * 1024 * 1024;

interface Request {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; taskId?: unknown; _meta?: Record<string, unknown> };
}

/** What `initialize` agreed on, if the client began with it. */
interface Session {
  version?: string;
}

/**
 * `svc mcp serve`: the endpoint for agents over standard input and output, one message per line. Requests run at the
 * same time, as clients expect.
 */
export async function serveStdio({ flags }: Arguments, io: Io): Promise<number> {
  const send = sender(flags as SenderFlags, io);
  const running = new Set<Promise<void>>();
  const forwardLine = forwarder(send, {}, io);
  for await (const line of lines(io.input())) {
    const forwarded = forwardLine(line).finally(() => running.delete(forwarded));
    running.add(forwarded);
  }
  await Promise.all(running);
  return EXIT.ok;
}

const forwarder =
  (send: Send, session: Session, io: Io) =>
  async (line: string): Promise<void> => {
    const request = parsed(line);
    try {
      for await (const { json, ...message } of send(line, headersOf(request, session))) {
        const version = request?.method === "initialize" ? message.result?.protocolVersion : undefined;
        if (typeof version === "string") session.version = version;
        // Refusals before the message was read do not know its id.
        const isUnnamed = message.id === null && request?.id !== undefined;
        const id = isUnnamed ? { id: request.id } : {};
        // A number can be one that JavaScript does not have.
        const sent = isUnnamed || json === undefined ? stringifyJson({ jsonrpc: "2.0", ...message, ...id }) : json;
        io.stdout.write(`${sent}\n`);
      }
    } catch (failure) {
      const error = {
        code: -32_000,
        message: `svc cannot be reached: ${failure instanceof Error ? failure.message : ""}`,
      };
      if (request?.id !== undefined) io.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, error })}\n`);
    }
  };

function parsed(line: string): Request | undefined {
  try {
    return JSON.parse(line) as Request;
  } catch {
    return undefined;
  }
}

/** What revisions require of HTTP requests, and standard input does not have. */
function headersOf(request: Request | undefined, session: Session): Record<string, string> {
  const version = request?.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (typeof version !== "string" || typeof request?.method !== "string") {
    if (session.version === undefined || request?.method === "initialize") return {};
    return { "mcp-protocol-version": session.version };
  }
  const name = request.params?.name ?? request.params?.uri ?? request.params?.taskId;
  return {
    "mcp-protocol-version": version,
    "mcp-method": request.method,
    ...(typeof name === "string" && { "mcp-name": name }),
  };
}

/** @throws TypeError for bytes that are not UTF-8, which would be forwarded as others. */
async function* lines(input: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of input) {
    rest += decoder.decode(chunk, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) if (line.trim() !== "") yield line;
    if (rest.length > LINE_CHARACTERS_MAX) throw new Error("A message is longer than 4 MiB.");
  }
  if (rest.trim() !== "") yield rest;
}
