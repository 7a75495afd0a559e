import type { Logger } from "pino";
import { ERROR_STATUS } from "../../../kernel/errors";
import { asServiceError } from "../../../operation/as-service-error";
import type { ChatEntry, ChatLedger, ChatOutcome, ChatStart, ChatUsage } from "../ledger/chat-ledger";
import type { Candidate } from "./upstream";

/** Streams record how far they are at most this often. */
const PROGRESS_MS = 1000;

export interface RunEnd {
  status: ChatOutcome["status"];
  usage: ChatUsage | undefined;
  isCached?: boolean;
  bodies?: ChatOutcome["bodies"];
  failure?: unknown;
}

/** One admitted request and what is known of it until it is billed. */
export class ChatRun {
  readonly start: ChatStart;
  readonly entry: ChatEntry;
  readonly isSimulated: boolean;
  readonly #ledger: ChatLedger;
  readonly #log: Pick<Logger, "error">;
  readonly #startedMs: number;
  #firstByteMs: number | undefined;
  #tries = 0;
  #last: Candidate | undefined;
  #progressMs = 0;
  #isEnded = false;

  constructor(parts: {
    start: ChatStart;
    entry: ChatEntry;
    isSimulated: boolean;
    startedMs: number;
    ledger: ChatLedger;
    log: Pick<Logger, "error">;
  }) {
    this.start = parts.start;
    this.entry = parts.entry;
    this.isSimulated = parts.isSimulated;
    this.#ledger = parts.ledger;
    this.#log = parts.log;
    this.#startedMs = parts.startedMs;
  }

  tried(candidate: Candidate): void {
    this.#tries++;
    this.#last = candidate;
  }

  /** The id of the upstream that was asked last. */
  get upstream(): string | undefined {
    return this.#last?.upstream.id;
  }

  began(): void {
    this.#firstByteMs ??= performance.now() - this.#startedMs;
  }

  /** Call it before the first byte of a stream is passed on; resolves when its row tells that the client pays. */
  async answering(): Promise<void> {
    const { promptTokens } = this.start;
    await this.#ledger.answering(this.entry, { promptTokens, completionTokens: 0, isEstimated: true });
  }

  /** `usageOf` is called only when it is time to record it. */
  progress(usageOf: () => ChatUsage): void {
    const nowMs = performance.now();
    if (nowMs - this.#progressMs < PROGRESS_MS) return;
    this.#progressMs = nowMs;
    this.#ledger.progress(this.entry, usageOf());
  }

  /** Records that the client gets nothing, for which nobody waits. Never rejects. */
  fail(status: "failed" | "cancelled", failure: unknown): Promise<void> {
    return this.end({ status, usage: undefined, failure }).catch(() => undefined);
  }

  /**
   * Bills the request; a repeated call changes nothing. Resolves when the bill is recorded: what the client gets last
   * waits for it. Rejects if it cannot be recorded.
   */
  async end({ status, usage, isCached = false, bodies, failure }: RunEnd): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const error = failure === undefined ? undefined : asServiceError(failure);
    const { reason } = error?.details ?? {};
    const outcome: ChatOutcome = {
      status,
      usage,
      isCached,
      isSimulated: this.isSimulated,
      // A stream that breaks off has begun with 200.
      httpStatus: error && this.#firstByteMs === undefined ? ERROR_STATUS[error.code] : 200,
      upstream: this.upstream,
      ...(this.#last && { price: this.#last.model.price }),
      tries: this.#tries,
      firstByteMs: this.#firstByteMs,
      totalMs: performance.now() - this.#startedMs,
      errorCode: error && (typeof reason === "string" ? reason : error.code),
      ...(bodies && this.entry.storesBodies && { bodies }),
    };
    try {
      await this.#ledger.finish(this.entry, outcome);
    } catch (err) {
      this.#log.error({ err, request_id: this.start.requestId }, "a chat request could not be billed");
      throw err;
    }
  }
}
