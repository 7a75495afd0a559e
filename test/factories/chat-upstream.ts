import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the double received. */
export interface ReceivedChat {
  path: string;
  body: Record<string, unknown> & { model: string; stream?: boolean };
  /** The body as it came. */
  text: string;
  headers: http.IncomingHttpHeaders;
}

/** Answers a request; what it does not do is up to the test: wait, send half an event, destroy the socket. */
export type ChatScript = (received: ReceivedChat, response: ServerResponse) => void | Promise<void>;

export interface ChatUpstream {
  /** With `/v1`. */
  url: string;
  /** Every request so far. */
  requests: ReceivedChat[];
  /** How the next requests are answered: by these scripts in turn, and the last one for all that follow. */
  script(...scripts: ChatScript[]): void;
  /** Requests whose connection the client closed before the response was complete. */
  readonly aborted: number;
  /** Connections that were opened so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** A server with OpenAI's API whose answers a test scripts; by default it answers "Hello there." with usage 9 and 3. */
export async function chatUpstream(): Promise<ChatUpstream> {
  const requests: ReceivedChat[] = [];
  let scripts: ChatScript[] = [answers()];
  let [aborted, connections] = [0, 0];
  const server = http.createServer(async (request, response) => {
    const text = await textOf(request);
    const body = JSON.parse(text) as ReceivedChat["body"];
    const received = { path: request.url ?? "", body, text, headers: request.headers };
    requests.push(received);
    response.on("close", () => {
      if (!response.writableFinished) aborted++;
    });
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    await script?.(received, response);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...next) => {
      scripts = next;
    },
    get aborted() {
      return aborted;
    },
    get connections() {
      return connections;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HEAD = { id: "chatcmpl-1", created: 1_700_000_000, model: "double-1" };

export interface AnswerFields {
  text?: string;
  /** Undefined: the upstream reports none. */
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | undefined;
}

const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

/** An answer in the mode that the request asks for. */
export const answers =
  (fields: AnswerFields = {}): ChatScript =>
  ({ body }, response) => {
    const { text = "Hello there.", usage } = { usage: USAGE, ...fields };
    if (body.stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunksOf(text, usage)) response.write(chunk);
      response.end("data: [DONE]\n\n");
      return;
    }
    response.writeHead(200, { "content-type": "application/json", "set-cookie": "upstream=1" });
    const message = { role: "assistant", content: text };
    response.end(
      JSON.stringify({
        ...HEAD,
        object: "chat.completion",
        choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
        ...(usage && { usage }),
      }),
    );
  };

/** The events of an answer, a word each, without `[DONE]`. */
export function chunksOf(text: string, usage?: AnswerFields["usage"]): string[] {
  const chunk = (choices: unknown[], rest: object = {}) =>
    `data: ${JSON.stringify({ ...HEAD, object: "chat.completion.chunk", choices, ...rest })}\n\n`;
  const words = text.match(/\s*\S+/g) ?? [];
  return [
    chunk([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]),
    ...words.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
    ...(usage ? [chunk([], { usage })] : []),
  ];
}

/** A whole answer or the events of a stream, as this text. */
export const sends =
  (text: string | readonly (string | Buffer)[], type = "text/event-stream"): ChatScript =>
  async (_, response) => {
    response.writeHead(200, { "content-type": type });
    for (const part of typeof text === "string" ? [text] : text) {
      // Each part is a packet of its own.
      await new Promise((resolve) => response.write(part, resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };

/** A failure in OpenAI's form. */
export const fails =
  (status: number, error: object = { message: "It failed.", type: "server_error" }, headers = {}): ChatScript =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ error }));
  };

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
