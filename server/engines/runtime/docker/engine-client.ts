import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Duplex, Readable } from "node:stream";

/** A status of 400 or above, with the engine's own sentence. */
export class EngineError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = "EngineError";
  }
}

export interface EngineRequest {
  /** With its query. */
  path: string;
  method?: "GET" | "POST" | "DELETE" | undefined;
  /** Sent as JSON; a stream is sent as a tar archive. */
  body?: object | Readable | undefined;
  signal?: AbortSignal | undefined;
}

/** Answers are descriptions of one container, or short lists. */
const REPLY_BYTES_MAX = 32 * 1024 * 1024;
const REPLY_MS_MAX = 60_000;
const isStream = (body: object): body is Readable => "pipe" in body;

/** Speaks Docker's API, in the engine's newest version, over a Unix socket. */
export class EngineClient {
  constructor(readonly socketPath: string) {}

  /** The parsed answer; undefined for an empty one. Rejects with EngineError, or why the engine cannot be reached. */
  async json<T>(wanted: EngineRequest): Promise<T> {
    const response = await this.#send(wanted);
    const text = await textOf(response);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** The text of an answer that is a list of messages. */
  async text(wanted: EngineRequest): Promise<string> {
    return textOf(await this.#send(wanted));
  }

  /** Undefined for what the engine does not have. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.json<T>({ path });
    } catch (cause) {
      if (cause instanceof EngineError && cause.status === 404) return undefined;
      throw cause;
    }
  }

  /** Turns the connection into a stream in both directions, as Docker's API does for `attach` and `exec`. */
  async hijack(path: string, body: object): Promise<{ socket: Duplex; head: Buffer }> {
    const text = JSON.stringify(body);
    const headers = {
      connection: "Upgrade",
      upgrade: "tcp",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    };
    const call = request({ socketPath: this.socketPath, path, method: "POST", headers, agent: false });
    const late = setTimeout(() => call.destroy(new Error("the engine did not answer in time")), REPLY_MS_MAX);
    call.once("upgrade", () => clearTimeout(late)).once("response", () => clearTimeout(late));
    call.end(text);
    const upgraded = once(call, "upgrade").then(([, socket, head]) => ({ socket: socket as Duplex, head }));
    const answered = once(call, "response").then(async ([response]) => takeOver(response as IncomingMessage));
    const [winner, other] = [Promise.race([upgraded, answered]), Promise.allSettled([upgraded, answered])];
    void other;
    return winner;
  }

  async #send({ path, method = "GET", body, signal }: EngineRequest): Promise<IncomingMessage> {
    const isArchive = body !== undefined && isStream(body);
    const headers = body === undefined ? {} : { "content-type": isArchive ? "application/x-tar" : "application/json" };
    const call = request({ socketPath: this.socketPath, path, method, headers, signal, agent: false });
    const answered = once(call, "response") as Promise<[IncomingMessage]>;
    if (isArchive) body.on("error", (cause) => call.destroy(cause)).pipe(call);
    else {
      call.setTimeout(REPLY_MS_MAX, () => call.destroy(new Error("the engine did not answer in time")));
      call.end(body === undefined ? undefined : JSON.stringify(body));
    }
    const [response] = await answered;
    const { statusCode = 500 } = response;
    if (statusCode < 400) return response;
    throw new EngineError(statusCode, messageOf(await textOf(response), statusCode));
  }
}

/** Older engines answer 200 and then use the connection as a stream. */
async function takeOver(response: IncomingMessage): Promise<{ socket: Duplex; head: Buffer }> {
  const { statusCode = 500 } = response;
  if (statusCode >= 400) throw new EngineError(statusCode, messageOf(await textOf(response), statusCode));
  return { socket: response.socket, head: Buffer.alloc(0) };
}

function messageOf(text: string, status: number): string {
  try {
    const { message } = JSON.parse(text);
    if (typeof message === "string") return message.trim().slice(0, 1000);
  } catch {
    // Not JSON.
  }
  return `the engine answered ${status}`;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk;
    if (text.length > REPLY_BYTES_MAX) throw new Error("the engine's answer is too long");
  }
  return text;
}
