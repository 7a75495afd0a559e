import type { Mode } from "../../../operation/actor";

/** Whose budget a chat request counts against. */
export interface ChatPayer {
  tenantId: string;
  projectId: string;
  mode: Mode;
  /** Undefined for a person in the dashboard's playground. */
  keyId: string | undefined;
}

/** Prices in nanos (10⁻⁹) of the installation's currency per token. */
export interface TokenPrice {
  inputNanos: number;
  outputNanos: number;
}

/** A request before it is sent upstream. */
export interface ChatStart extends ChatPayer {
  /** The request id, which the client may have chosen; it need not be unique. */
  requestId: string;
  endpoint: "chat" | "embeddings";
  model: string;
  price: TokenPrice;
  /** An estimate of the prompt's tokens. */
  promptTokens: number;
  /** The most tokens that the answer can have, as far as the request limits it. */
  completionTokensMax: number | undefined;
  isStream: boolean;
}

export interface ChatUsage {
  promptTokens: number;
  completionTokens: number;
  /** Counted by svc because the upstream reported none. */
  isEstimated: boolean;
}

/** How a request ended. */
export interface ChatOutcome {
  status: "succeeded" | "failed" | "cancelled";
  /** The HTTP status that the client received. */
  httpStatus: number;
  upstream: string | undefined;
  /** The price of the upstream that answered, if it is another one than that of the start. */
  price?: TokenPrice;
  /** Tries at any upstream, fallbacks included. */
  tries: number;
  usage: ChatUsage | undefined;
  isCached: boolean;
  isSimulated: boolean;
  /** From the request to the first byte of the answer and to its end, in milliseconds. */
  firstByteMs: number | undefined;
  totalMs: number;
  /** The code of the error that the client received. */
  errorCode: string | undefined;
  /** Stored only where the project has switched it on. */
  bodies?: { request: string; response: string };
}

/** A request that was admitted and is billed at its end. */
export interface ChatEntry {
  /** `chr_…`, made by svc: clients may choose request ids, and must not be able to repeat one unbilled. */
  id: string;
  /** Whether the project stores bodies. */
  storesBodies: boolean;
  /** The offers and cache settings of the project. */
  settings: ChatSettings;
}

export interface ChatSettings {
  /** Requests and answers are stored, sealed, for 30 days. */
  storesBodies: boolean;
  /** How long equal requests are answered from the cache if they ask for it; 0: never. */
  cacheSeconds: number;
  /** The channel whose offers are added to prompts that ask for none, and how many. */
  offers?: { channelId: string; limit: number } | undefined;
}

/**
 * Budgets, usage and the log of chat requests.
 *
 * What a client has seen is billed exactly once, wherever `kill -9` ends this process: each step of a request is noted in
 * a journal in the data directory before the next one is taken, so no request is sent upstream before `begin`, no first
 * byte of a stream is passed on before `answering`, and no whole answer and no last event before `finish` has recorded the
 * outcome. After a restart, or another process with the same data directory, finishes what was left: with its outcome, or
 * with what a stream had passed on until at most a second before, or with nothing if the client had seen nothing. Where
 * the data directory is gone, another process finishes, after 30 seconds, what Postgres knows of the request.
 *
 * Notes wait for no disk: they outlive this process and Postgres, killed one after the other or together, but not the
 * kernel. Rows are committed without waiting for the disk either (`synchronous_commit` off), because the notes are kept
 * until bills are flushed, right after they were committed. A power failure therefore loses the bills of one flush, and
 * of running requests what began in the last 0.6 s (three times `wal_writer_delay`).
 */
export interface ChatLedger {
  /**
   * Checks the budgets of the key and the project, reserves what the request can cost, and records it as pending in one
   * round trip. Budgets are exact in any number of processes: a request is admitted only if what was spent, what running
   * requests have reserved and its own reservation fit. The reservation is the price of the estimated prompt and of
   * `completionTokensMax`, or of 1,024 tokens if the request does not limit its answer; spend exceeds a budget by at most
   * what running requests exceed their reservations. Throws `quota_exceeded` (reason `budget_exceeded`, with the budget
   * and `resets_at`), and `unavailable` while Postgres is.
   *
   * For a payer who has no budget, and whose project has no settings, as requests of the last two seconds have shown, it
   * resolves as soon as the request is recorded, and its row is stored meanwhile. Creating a budget or changing settings
   * ends this: it is answered only when every process obeys it.
   */
  begin(start: ChatStart): Promise<ChatEntry>;
  /** Call it before the first byte of a stream is passed on, with what that costs. Throws `unavailable`. */
  answering(entry: ChatEntry, usage: ChatUsage): Promise<void>;
  /** Records how far a stream is; call it about once a second. Never throws. */
  progress(entry: ChatEntry, usage: ChatUsage): void;
  /**
   * Bills the request once and releases the reservation; a repeated call changes nothing. Resolves when the outcome is
   * recorded; Postgres gets it soon, or when it is available again. Without a journal, or if its disk is full, it resolves
   * when Postgres has it on disk.
   */
  finish(entry: ChatEntry, outcome: ChatOutcome): Promise<void>;
  /** Resolves when everything that was finished is on Postgres' disk, or after 10 seconds without Postgres. */
  stop(): Promise<void>;
}
