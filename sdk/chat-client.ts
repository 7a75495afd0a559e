import { type Fetch, readBaseUrl } from "./call-api";
import { parseJson as parseExact, stringifyJson } from "./exact-json";
import { errorText, type ParseJson } from "./parse-response";
import { ResponseError } from "./response-error";
import { serverSentEvents } from "./server-sent-events";
import { VERSION } from "./version";

export type { Fetch } from "./call-api";
// biome-ignore lint/performance/noBarrelFile: an entry point of the package, and the class of its errors.
export { ResponseError } from "./response-error";

/** A message in OpenAI's format; `content` may also be a list of parts. */
export interface ChatMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  content: string | readonly Record<string, unknown>[] | null;
  [field: string]: unknown;
}

/** The body of `POST /v1/chat/completions` in OpenAI's format. */
export interface ChatRequest {
  model: string;
  messages: readonly ChatMessage[];
  [field: string]: unknown;
}

export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export interface ChatCompletion {
  id: string;
  model: string;
  choices: { index: number; message: ChatMessage; finish_reason: string | null }[];
  usage?: ChatUsage | null;
  [field: string]: unknown;
}

/** One event of a streamed response; the last one has `usage` and no choices. */
export interface ChatChunk {
  id: string;
  model: string;
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; [field: string]: unknown };
    finish_reason: string | null;
  }[];
  usage?: ChatUsage | null;
  [field: string]: unknown;
}

export interface ChatModel {
  /** The name for `model` in requests. */
  id: string;
  kind?: "chat" | "embeddings";
  owned_by?: string;
}

export interface ChatClientOptions {
  /** The base URL of svc: `https://svc.example`. */
  baseUrl: string;
  /** A platform key with the scope `gateway:write`. */
  key: string;
  /** Default: the runtime's `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * How the JSON of responses is read. Default: a whole number of which a `number` does not keep all digits, as
   * upstreams can send, is a `BigInt`; `JSON.parse` makes it a number near it.
   */
  parseJson?: ParseJson | undefined;
}

export interface ChatCallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ChatClient {
  /** The whole response. Rejects with a ResponseError. */
  complete(request: ChatRequest, options?: ChatCallOptions): Promise<ChatCompletion>;
  /**
   * The response in pieces, as the model writes it; a `break` ends the request. Rejects with a ResponseError, also when
   * the response ends before it is complete.
   */
  stream(request: ChatRequest, options?: ChatCallOptions): AsyncGenerator<ChatChunk, void>;
  /** The models that the key can call. */
  models(options?: ChatCallOptions): Promise<ChatModel[]>;
}

/**
 * A client of the chat gateway without dependencies; OpenAI's own client works as well, with `baseURL: ".../v1"`.
 * Nothing is retried: the gateway has retried already.
 *
 * @throws TypeError when `baseUrl` is not a URL.
 */
export function createChatClient({
  baseUrl,
  key,
  fetch = globalThis.fetch.bind(globalThis),
  parseJson = parseExact,
}: ChatClientOptions): ChatClient {
  const base = readBaseUrl(baseUrl);
  const call = (path: string, body: object | undefined, signal: AbortSignal | undefined): Promise<Response> => {
    const headers = { Authorization: `Bearer ${key}`, "User-Agent": `svc-sdk/${VERSION}` };
    return callGateway(fetch, `${base}${path}`, {
      method: body ? "POST" : "GET",
      redirect: "manual",
      cache: "no-store",
      headers: body ? { ...headers, "Content-Type": "application/json" } : headers,
      ...(body ? { body: stringifyJson(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  };
  return {
    async complete(request, { signal } = {}) {
      const response = await call(COMPLETIONS, { ...request, stream: false }, signal);
      return readJson<ChatCompletion>(await response.text(), response, parseJson);
    },
    async *stream(request, { signal } = {}) {
      const body = { stream_options: { include_usage: true }, ...request, stream: true };
      yield* chunksOf(await call(COMPLETIONS, body, signal), { signal, parseJson });
    },
    async models({ signal } = {}) {
      const response = await call("/v1/models", undefined, signal);
      return readJson<{ data?: ChatModel[] }>(await response.text(), response, parseJson).data ?? [];
    },
  };
}

const COMPLETIONS = "/v1/chat/completions";

async function* chunksOf(
  response: Response,
  { signal, parseJson }: ChatCallOptions & { parseJson: ParseJson },
): AsyncGenerator<ChatChunk, void> {
  if (!response.body) throw unreadable(response);
  try {
    for await (const data of serverSentEvents(response.body)) {
      if (data === "[DONE]") return;
      const chunk = readJson<ChatChunk & { error?: ErrorBody }>(data, response, parseJson);
      if (chunk.error) throw failureOf({ error: chunk.error }, response);
      yield chunk;
    }
  } catch (failure) {
    signal?.throwIfAborted();
    if (failure instanceof ResponseError) throw failure;
    throw broken(failure, response);
  }
  signal?.throwIfAborted();
  throw broken(new Error("no [DONE]"), response);
}

async function callGateway(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    const message = `svc could not be reached at ${new URL(url).origin}: ${errorText(cause)}.`;
    throw new ResponseError({ status: 0, code: "network", message, cause });
  }
  if (response.ok) return response;
  const body = parse(await response.text(), JSON.parse);
  if (!body?.error) throw unreadable(response);
  throw failureOf(body, response);
}

/** OpenAI's error body. */
interface ErrorBody {
  message?: string;
  type?: string;
  param?: string | null;
  code?: string | number | null;
  request_id?: string;
}

interface FailedBody {
  error?: ErrorBody;
  request_id?: string;
}

function failureOf({ error = {}, request_id }: FailedBody, { status, headers }: Response): ResponseError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new ResponseError({
    // A failure within a stream has the status 200.
    status: status < 400 ? 502 : status,
    code: String(error.code ?? error.type ?? "error"),
    message: error.message ?? `The response is ${status}.`,
    requestId: headers.get("x-request-id") ?? error.request_id ?? request_id,
    param: error.param ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  });
}

const parse = (text: string, parseJson: ParseJson): FailedBody | undefined => {
  try {
    return parseJson(text) as FailedBody;
  } catch {
    return undefined;
  }
};

function readJson<T>(text: string, response: Response, parseJson: ParseJson): T {
  const body = parse(text, parseJson);
  if (typeof body !== "object" || body === null) throw unreadable(response);
  return body as T;
}

const unreadable = ({ status }: Response): ResponseError =>
  new ResponseError({
    status,
    code: "unreadable",
    message: `The response (${status}) is not one of the chat gateway; is baseUrl right?`,
  });

const broken = (cause: unknown, { headers }: Response): ResponseError =>
  new ResponseError({
    status: 0,
    code: "network",
    cause,
    requestId: headers.get("x-request-id") ?? undefined,
    message: `The response ended before it was complete: ${errorText(cause)}.`,
  });
