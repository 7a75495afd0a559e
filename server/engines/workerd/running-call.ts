import http, { type Agent, type IncomingMessage } from "node:http";
import { type WorkerCall, WorkerFailure, type WorkerReply } from "./worker-call";

/** The process ended before the call was handed over, so that it can be repeated. */
export class NotBegun extends Error {}

export interface CallParts {
  call: WorkerCall;
  agent: Agent;
  socket: string;
}

const NEWLINE = 10;
const HEAD_BYTES_MAX = 128 * 1024;

/**
 * One call to a process. The request is sent when the response begins: a process that is blocked or has ended has then not
 * received it.
 */
export class RunningCall {
  readonly #call: WorkerCall;
  readonly #outgoing: http.ClientRequest;
  #hasBegun = false;
  #reply: { resolve(reply: WorkerReply): void; reject(cause: Error): void } = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  /** Rejects with a WorkerFailure, with what `fail` received, or with the error of the connection. */
  readonly reply: Promise<WorkerReply>;

  constructor({ call, agent, socket }: CallParts) {
    this.#call = call;
    const { signal } = call;
    this.reply = new Promise((resolve, reject) => {
      this.#reply = { resolve, reject };
    });
    const late = setTimeout(() => this.fail(timedOut(call)), call.timeoutMs);
    const abort = () => this.fail(new WorkerFailure("aborted", "The caller disconnected."));
    signal?.addEventListener("abort", abort, { once: true });
    const release = () => {
      clearTimeout(late);
      signal?.removeEventListener("abort", abort);
    };
    this.reply.then(release, release);
    this.#outgoing = http.request({ agent, socketPath: socket, method: "POST" });
    this.#outgoing.once("response", (response) => this.#begin(response));
    this.#outgoing.on("error", (cause) => this.#reply.reject(cause));
    this.#outgoing.flushHeaders();
    if (signal?.aborted) abort();
  }

  /** The call was handed over. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Ends the call; the worker is interrupted at its next pause. */
  fail(cause: Error): void {
    this.#reply.reject(cause);
    this.#outgoing.destroy();
  }

  #begin(response: IncomingMessage): void {
    this.#hasBegun = true;
    const { worker, request } = this.#call;
    const { body, ...head } = request;
    this.#outgoing.write(`${JSON.stringify({ worker, ...head })}\n`);
    this.#outgoing.end(body);
    readReply(response, this.#call).then(this.#reply.resolve, (cause: Error) => this.fail(cause));
  }
}

type ReplyHead = Omit<WorkerReply, "body"> & { failure?: string };

async function readReply(
  response: IncomingMessage,
  { bodyBytesMax, receive }: Pick<WorkerCall, "bodyBytesMax" | "receive">,
): Promise<WorkerReply> {
  const parts: Buffer[] = [];
  const keep = receive ?? (async (part: Buffer) => void parts.push(part));
  let head: ReplyHead | undefined;
  let start = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    let part = chunk;
    if (!head) {
      start = Buffer.concat([start, chunk]);
      const end = start.indexOf(NEWLINE);
      if (end < 0 && start.length > HEAD_BYTES_MAX) throw tooLarge(bodyBytesMax);
      if (end < 0) continue;
      head = headOf(start.subarray(0, end));
      part = start.subarray(end + 1);
    }
    bytes += part.length;
    if (bytes > bodyBytesMax) throw tooLarge(bodyBytesMax);
    if (part.length > 0) await keep(part).catch(notReceived);
  }
  if (!head) throw new Error("The response of the process is incomplete.");
  return { status: head.status, headers: head.headers, body: Buffer.concat(parts) };
}

function notReceived(cause: unknown): never {
  throw new WorkerFailure("aborted", "The response could not be passed on.", { cause });
}

function headOf(line: Buffer): ReplyHead {
  const head = JSON.parse(line.toString("utf8")) as ReplyHead;
  if (head.failure !== undefined) throw failureOf(head.failure);
  return head;
}

const NOT_LOADED = "Failed to start Worker:";

function failureOf(text: string): WorkerFailure {
  const isLoad = text.startsWith(NOT_LOADED);
  return new WorkerFailure(isLoad ? "load_failed" : "threw", isLoad ? text.slice(NOT_LOADED.length).trim() : text);
}

const timedOut = ({ timeoutMs }: WorkerCall): WorkerFailure =>
  new WorkerFailure("timed_out", `The code did not end within ${timeoutMs} ms.`);

const tooLarge = (bodyBytesMax: number): WorkerFailure =>
  new WorkerFailure("response_too_large", `The response has more than ${bodyBytesMax} bytes.`);
