import type { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import type { Reply } from "../../../operation/reply";
import type { RequestMeta } from "../../../operation/request-meta";
import type { ChatEntry, ChatPayer, ChatUsage } from "../ledger/chat-ledger";

/** A message as the client sent it; fields that svc does not know are passed on. */
export interface ChatMessage {
  role: string;
  content?: unknown;
  [field: string]: unknown;
}

/** The body that is sent upstream, without `mode` and `project`. */
export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  stream?: boolean | null | undefined;
  [field: string]: unknown;
}

/** A request for a completion on its way through the stages. */
export interface ChatCall {
  readonly actor: Actor;
  readonly request: RequestMeta;
  readonly payer: ChatPayer;
  /** Stages replace it as a whole, and never change it in place. */
  body: ChatBody;
  /** Estimated from the length of the texts. */
  promptTokens: number;
  /** The largest context of the model's upstreams in tokens, if it is known. */
  readonly contextTokens: number | undefined;
  /** The answer comes from `svc-echo`. */
  readonly isSimulated: boolean;
}

/** Undefined lets the request pass. */
export type Verdict = ServiceError | undefined;

/** Decides about a request before anything is spent; the first refusal ends it. Later shields join here. */
export interface GuardStage {
  name: string;
  /** `release`, if it returns one, is called when the request has ended. */
  check: (call: ChatCall) => Checked | Promise<Checked>;
}
export type Checked = Verdict | { release: () => void };

/** An admitted request; its budget is reserved. */
export interface AdmittedCall extends ChatCall {
  readonly entry: ChatEntry;
  /** A stage has added something to the prompt that is of this request alone, so that its answer must not be reused. */
  hasOwnPrompt?: boolean;
}

/**
 * Prepares an admitted request: it may replace `call.body` (offers in prompts), or answer the request itself (the
 * cache), and the upstream is then not asked. A stage that throws fails the request.
 */
export interface PromptStage {
  name: string;
  prepare: (call: AdmittedCall) => Promise<StoredResponse | undefined> | StoredResponse | undefined;
}

/** A complete `chat.completion` object with its `usage`; a client that asked for a stream gets it as one. */
export interface StoredResponse {
  completion: Completion;
}

/** A `chat.completion` object in OpenAI's format. */
export interface Completion {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: CompletionChoice[];
  usage?: CompletionUsage | null | undefined;
  [field: string]: unknown;
}

export interface CompletionChoice {
  index: number;
  message: ChatMessage;
  finish_reason: string | null;
  [field: string]: unknown;
}

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

/** The answer to a request; of a stream, put together from its chunks. */
export interface FinalResponse {
  completion: Completion;
  /** The text of the first choice. */
  text: string;
  usage: ChatUsage;
  isCached: boolean;
  isSimulated: boolean;
  /** False for a stream that broke off, and for an answer too long to be kept, whose beginning is here. */
  isComplete: boolean;
  /** False if the client had gone before the end: it is not known how much of the answer it received. */
  isDelivered: boolean;
}

/** Sees the answer after it was sent; what it throws is logged and changes nothing. */
export interface ResponseStage {
  name: string;
  see: (call: AdmittedCall, answer: FinalResponse) => Promise<void> | void;
}

/** Changes what the client receives; a request that needs no change gets its reply back as it is. */
export interface ReplyStage {
  name: string;
  change: (call: AdmittedCall, reply: Reply) => Reply;
}

export interface ChatStages {
  guards: readonly GuardStage[];
  prompts: readonly PromptStage[];
  answers: readonly ResponseStage[];
  replies: readonly ReplyStage[];
}
