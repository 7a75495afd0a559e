import type { IncomingMessage } from "node:http";
import type { TokenPrice } from "../ledger/chat-ledger";

export type ModelKind = "chat" | "embeddings";

/** A model that an upstream serves. */
export interface UpstreamModel {
  /** The name in requests to svc. */
  name: string;
  /** The name that the upstream knows it by. */
  upstreamName: string;
  kind: ModelKind;
  price: TokenPrice;
  /** The context window in tokens. */
  contextTokens: number | undefined;
}

/** A server with OpenAI's API. */
export interface Upstream {
  id: string;
  /** Ends without a slash. */
  baseUrl: string;
  /** Whose it is: an address that a tenant chose is checked before each connection. */
  owner: "operator" | "tenant";
  models: readonly UpstreamModel[];
  /** Requests are divided among upstreams of equal priority by their weights. */
  weight: number;
  /** Lower numbers are asked first. */
  priority: number;
  /** The field of a chat request that separates the prompt caches of an operator's upstream; undefined: it knows none. */
  cacheField?: "cache_salt" | "prompt_cache_key" | undefined;
  firstByteMs: number;
  /** The longest pause between two parts of an answer. */
  idleMs: number;
  /** The bearer token at the time of the call. Throws `unavailable` when it cannot be read. */
  key: () => Promise<string | undefined> | string | undefined;
  /** Sends a request once, to one that is not reached at its base URL. */
  post?: (request: UpstreamRequest) => Promise<IncomingMessage>;
}

export interface UpstreamRequest {
  /** Below the base URL: `/chat/completions`. */
  path: string;
  /** As text, because Node writes its head and a text together. */
  body: string;
  /** The bearer token. */
  key: string | undefined;
  accept: string;
  /** Closes the connection. */
  signal: AbortSignal;
}

/** An upstream of the operators' file, as plain data: the supervising process sends it to the others. */
export type OperatorUpstream = Omit<Upstream, "key" | "post"> & { apiKey: string | undefined };

/** An upstream and the model of it that a request asks for. */
export interface Candidate {
  upstream: Upstream;
  model: UpstreamModel;
}

/** The upstream's model of this name. */
export const modelOf = ({ models }: Upstream, name: string, kind: ModelKind): UpstreamModel | undefined =>
  models.find((model) => model.name === name && model.kind === kind);

/** Reasoning models take minutes until they begin to answer. */
export const DEFAULT_TIMES = { firstByteMs: 300_000, idleMs: 60_000 } as const;
