import type { Clock } from "../../kernel/clock";
import { ServiceError } from "../../kernel/errors";
import { Circuit } from "./circuit";
import { readVectors, VectorsError } from "./read-vectors";

export interface EmbeddingsConfig {
  /** The base URL of an OpenAI-compatible API: `http://localhost:11434/v1`. */
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** Enough for 4096 components with 17 digits each. */
const RESPONSE_BYTES_PER_TEXT = 100_000;
const RESPONSE_BYTES_MIN = 65_536;
/** What a server returns for a text that it will not accept later either. */
const REFUSALS = new Set([400, 413, 422]);

export interface EmbedOptions {
  timeoutMs: number;
  /** Ends the request early. */
  signal?: AbortSignal;
}

/** No vectors. The message contains no text and no secret, so it can be logged. */
export class EmbeddingsError extends Error {
  /** The server does not accept the texts, for example because one is too long. */
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal = false) {
    super(message);
    this.name = "EmbeddingsError";
    this.isRefusal = isRefusal;
  }
}

/**
 * A client of a server with `POST /embeddings` as in OpenAI's API: Ollama, text-embeddings-inference, vLLM. It is left
 * alone for growing pauses while it fails.
 */
export class Embeddings {
  readonly model: string;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #circuit: Circuit;
  #failure = "";

  constructor({ url, model, apiKey }: EmbeddingsConfig, clock: Clock) {
    this.model = model;
    this.#url = `${url.replace(/\/+$/, "")}/embeddings`;
    const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    this.#headers = { "content-type": "application/json", accept: "application/json", ...authorization };
    this.#circuit = new Circuit(clock);
  }

  /** Why the server does not work, if it failed several times in a row; it is not asked again for this. */
  get failure(): ServiceError | undefined {
    if (!this.#circuit.isOpen) return undefined;
    return new ServiceError("unavailable", `The embeddings server does not work: ${this.#failure}.`);
  }

  /** Whether the next `embed` would send a request; false during a pause. */
  get isAvailable(): boolean {
    return !this.#circuit.isPausing;
  }

  /**
   * The vectors of the texts, in order, all with the same number of components. Rejects with an EmbeddingsError after
   * `timeoutMs`, during a pause, if the server fails, redirects or responds with something else, and if it does not
   * accept the texts (`isRefusal`), which does not count as a failure.
   */
  async embed(texts: readonly string[], { timeoutMs, signal }: EmbedOptions): Promise<number[][]> {
    if (!this.#circuit.allows()) throw new EmbeddingsError(`paused after failures: ${this.#failure}`);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const vectors = await this.#request(texts, signal ? AbortSignal.any([timeout, signal]) : timeout);
      this.#circuit.succeeded();
      return vectors;
    } catch (cause) {
      const failure = cause instanceof EmbeddingsError ? cause : new EmbeddingsError(reasonOf(cause));
      // A process that stops says nothing about the server.
      if (signal?.aborted) throw failure;
      if (failure.isRefusal) this.#circuit.succeeded();
      else {
        this.#failure = failure.message;
        this.#circuit.failed();
      }
      throw failure;
    }
  }

  async #request(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify({ model: this.model, input: texts }),
      // The key is meant for the configured server only.
      redirect: "manual",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new EmbeddingsError(`status ${response.status}`, REFUSALS.has(response.status));
    }
    const body = await textOf(response, RESPONSE_BYTES_MIN + RESPONSE_BYTES_PER_TEXT * texts.length);
    return vectorsOf(body, texts.length);
  }
}

async function textOf(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new EmbeddingsError(`a response of more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function vectorsOf(body: string, count: number): number[][] {
  let response: unknown;
  try {
    response = JSON.parse(body);
  } catch {
    // The parser's message quotes the body.
    throw new EmbeddingsError("the response is not JSON");
  }
  return readVectors(response, count);
}

/** Only codes and our own messages: a message of another library could quote headers. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown error";
  if (cause.name === "TimeoutError") return "no response in time";
  const { code } = (cause.cause ?? cause) as { code?: unknown };
  if (typeof code === "string") return code;
  return cause instanceof VectorsError ? cause.message : cause.name;
}
