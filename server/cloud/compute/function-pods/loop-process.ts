import type { PassThrough, Readable } from "node:stream";
import type { Execution } from "../../../engines/runtime/execution";
import { WorkerFailure } from "../../../engines/workerd/worker-call";

const NEWLINE = 0x0a;
/** Of standard error, for the message about a process that ended. */
const TAIL_CHARACTERS = 1000;
/** A process that the code left behind may keep its output open. */
const LAST_OUTPUT_MS = 250;

interface Waiting {
  resolve: (line: string) => void;
  reject: (failure: Error) => void;
  bytesMax: number;
}

export interface LoopCall {
  /** One line, without its end. */
  line: string;
  timeoutMs: number;
  bytesMax: number;
  signal?: AbortSignal | undefined;
}

/** A process that answers one line with one line, and has at most one call at a time. */
export class LoopProcess {
  readonly #execution: Execution;
  readonly #stdin: PassThrough;
  #waiting: Waiting | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #tail = "";
  #hasEnded = false;
  lastUsedAtMs = Date.now();

  /** `stdin` is what was passed to the execution. */
  constructor(execution: Execution, stdin: PassThrough) {
    this.#execution = execution;
    this.#stdin = stdin;
    stdin.on("error", () => undefined);
    this.#read(execution.stdout, (chunk) => this.#receive(chunk));
    this.#read(execution.stderr, (chunk) => {
      this.#tail = (this.#tail + chunk.toString("utf8")).slice(-TAIL_CHARACTERS);
    });
    execution.exited.then(
      (exit) => this.#finish(exit),
      () => this.#finish({ exitCode: null, signal: null }),
    );
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The line that the process answers. Ends the process and throws WorkerFailure if there is none in time. */
  async call({ line, timeoutMs, bytesMax, signal }: LoopCall): Promise<string> {
    this.lastUsedAtMs = Date.now();
    const timer = setTimeout(() => this.#fail("timed_out", `The code did not end within ${timeoutMs} ms.`), timeoutMs);
    const abort = () => this.#fail("aborted", "The caller disconnected.");
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#waiting = { resolve, reject, bytesMax };
        if (this.#hasEnded) this.#fail("interrupted", "The process of the code has ended.");
        else if (signal?.aborted) abort();
        else this.#stdin.write(`${line}\n`);
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#waiting = undefined;
      this.lastUsedAtMs = Date.now();
    }
  }

  /** Ends it with all that it has started. What it writes then is not read any more. */
  kill(): void {
    this.#hasEnded = true;
    this.#execution.end();
    this.#stdin.destroy();
    this.#chunks = [];
  }

  #read(stream: Readable, onChunk: (chunk: Buffer) => void): void {
    stream.on("data", onChunk).on("error", () => undefined);
  }

  #receive(chunk: Buffer): void {
    if (this.#hasEnded) return;
    const end = chunk.indexOf(NEWLINE);
    const part = end < 0 ? chunk : chunk.subarray(0, end);
    this.#chunks.push(part);
    this.#bytes += part.length;
    const { bytesMax = 0 } = this.#waiting ?? {};
    if (this.#bytes > bytesMax) this.#fail("response_too_large", `The response has more than ${bytesMax} bytes.`);
    else if (end >= 0) {
      const line = Buffer.concat(this.#chunks).toString("utf8");
      this.#chunks = [];
      this.#bytes = 0;
      this.#waiting?.resolve(line);
    }
  }

  #fail(reason: "timed_out" | "aborted" | "interrupted" | "response_too_large", message: string): void {
    this.#waiting?.reject(new WorkerFailure(reason, message));
    this.kill();
  }

  #finish({ exitCode, signal }: { exitCode: number | null; signal: string | null }): void {
    setTimeout(() => {
      const isKilled = signal === "SIGKILL" && !this.#hasEnded;
      this.#hasEnded = true;
      const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
      const failure = isKilled
        ? new WorkerFailure("out_of_memory", "The process of the code was killed, as it is when it exceeds its memory.")
        : new WorkerFailure("interrupted", `The process of the code ended ${how}. ${this.#tail}`.trim());
      this.#waiting?.reject(failure);
    }, LAST_OUTPUT_MS);
  }
}
