import { ServiceError } from "../../../kernel/errors";
import { hasRelayedBytes, relayedBytes, textOfRelayed } from "../../../kernel/relayed-bytes";
import { relayedJson } from "../../../kernel/relayed-json";
import type { Redactor } from "../../data/secrets/redactor";
import type { ChatUsage } from "../ledger/chat-ledger";
import type { BodyReader } from "./body-reader";
import { eventsOfWhole, isWhole } from "./completion-chunks";
import { type Chunk, CompletionParts, chunkOf } from "./completion-parts";
import { estimateTokens } from "./count-tokens";
import { DONE_EVENT, dataOf, EventSplitter, eventOf, linesBesideData, nameOf } from "./event-splitter";
import { RedactedChunks } from "./redacted-chunks";
import { toUsage, usageIn } from "./reported-usage";
import { redacted, UpstreamFailure } from "./upstream-failure";

/** After the client has gone, the rest of an answer is read this long and this far, to bill what was really used. */
const DRAIN = { ms: 30_000, bytes: 4 * 1024 * 1024 };

export interface StreamEnd {
  status: "succeeded" | "failed" | "cancelled";
  parts: CompletionParts;
  /** What the upstream reported. */
  usage: ChatUsage | undefined;
  failure: unknown;
}

export interface RelayParts {
  reader: BodyReader;
  /** What was read before the response began. */
  first: Buffer;
  idleMs: number;
  requestId: string;
  /** Finds the upstream's key in what it says. */
  redactor: Redactor | undefined;
  /** An event without what the client may not see; the same object if that is nothing. */
  shown: (chunk: Chunk) => Chunk;
  /** The client asked for the event with the usage; the upstream is always asked for it. */
  wantsUsage: boolean;
  /** Counts the tokens of a stream whose upstream reports none. */
  count: (parts: CompletionParts) => Promise<ChatUsage>;
  /** Called as parts arrive. */
  onProgress: (usageOf: () => Pick<ChatUsage, "completionTokens">) => void;
  /** Called once when the stream has ended, whatever ended it; the last bytes wait until it resolves. */
  onEnd: (end: StreamEnd) => Promise<void>;
}

/**
 * Passes the events of an upstream on as they arrive. Events are parsed for usage and text, but sent as the bytes that
 * came, unless they have the key of the upstream or may have the beginning of it.
 */
export class StreamRelay {
  readonly #parts: RelayParts;
  readonly #splitter = new EventSplitter();
  readonly #written = new CompletionParts();
  readonly #redaction: Redaction | undefined;
  #usage: ChatUsage | undefined;
  #isDone = false;
  #failure: unknown;
  #isEnded = false;
  #isFirst = true;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(parts: RelayParts) {
    this.#parts = parts;
    const { redactor } = parts;
    this.#redaction = redactor && { redactor, chunks: new RedactedChunks(redactor) };
  }

  /** The body of the response. Nothing is read ahead of a slow client. */
  body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const reading = this.#next();
          this.#reading = reading;
          const bytes = await reading;
          if (bytes) controller.enqueue(bytes);
          else controller.close();
        },
        cancel: () => void this.#drain(),
      },
      { highWaterMark: 0 },
    );
  }

  /** The next bytes for the client; undefined at the end. */
  async #next(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#isDone || this.#failure !== undefined) return undefined;
      const kept = await this.#read();
      // Before the last bytes are sent: what the client has seen whole is billed, even if this process is killed.
      if (this.#failure !== undefined) await this.#end("failed");
      else if (this.#isDone) await this.#end("succeeded");
      if (kept.length > 0) return kept.length === 1 ? kept[0] : Buffer.concat(kept);
    }
  }

  /** Reads one chunk of the upstream and returns the events that the client gets. */
  async #read(): Promise<Buffer[]> {
    try {
      const chunk = await this.#chunk();
      if (!chunk) return await this.#lastEvents();
      const kept: Buffer[] = [];
      for (const event of this.#splitter.push(chunk)) {
        kept.push(...(await this.#take(event)));
        if (this.#isDone || this.#failure !== undefined) break;
      }
      this.#parts.onProgress(() => this.#usage ?? { completionTokens: estimateTokens(this.#written.chars) });
      return kept;
    } catch (failure) {
      return this.#broken(failure);
    }
  }

  #chunk(): Promise<Buffer | undefined> {
    const { first, reader, idleMs } = this.#parts;
    if (!this.#isFirst) return reader.next(idleMs);
    this.#isFirst = false;
    return Promise.resolve(first);
  }

  async #take(arrived: Buffer): Promise<Buffer[]> {
    const data = dataOf(arrived);
    if (data === "[DONE]") return this.#done();
    const taken = this.#redaction ? this.#withoutKey(arrived, data, this.#redaction) : plain(arrived, data);
    if (data !== undefined && nameOf(arrived) === "error") {
      const error = taken.chunk?.error ?? taken.chunk ?? redacted(data, this.#parts.redactor);
      return this.#broken(new UpstreamFailure(errorText({ error })));
    }
    // A cache has only what is UTF-8.
    if (data !== undefined && (!taken.chunk || hasRelayedBytes(data))) this.#written.addUnknown();
    if (!taken.chunk) {
      return [taken.event];
    }
    const { error } = taken.chunk;
    if (error !== undefined && error !== null) return this.#broken(new UpstreamFailure(errorText(taken.chunk)));
    const chunk = this.#parts.shown(taken.chunk);
    const event = chunk === taken.chunk ? taken.event : eventOf(chunk);
    this.#usage = usageIn(taken.chunk) ?? this.#usage;
    const isBegun = this.#written.chars > 0;
    this.#written.add(chunk);
    if (!isBegun && isWhole(chunk)) return [...eventsOfWhole(chunk, this.#parts.wantsUsage)];
    const isOnlyUsage = chunk.usage && (!Array.isArray(chunk.choices) || chunk.choices.length === 0);
    return isOnlyUsage && !this.#parts.wantsUsage ? [] : [event];
  }

  /** An event without the key of the upstream: the bytes that came, if they do not have it. */
  #withoutKey(arrived: Buffer, data: string | undefined, { redactor, chunks }: Redaction): Taken {
    const lines = linesBesideData(textOfRelayed(arrived));
    const passed = data === undefined ? undefined : chunks.take(data);
    const others = lines.map(redactor.redact);
    if (passed?.data === data && others.every((line, i) => line === lines[i]))
      return { event: arrived, chunk: passed?.chunk };
    const sent = [...others, ...(passed ? [`data: ${passed.data}`] : [])];
    return { event: relayedBytes(`${sent.join("\n")}\n\n`), chunk: passed?.chunk };
  }

  async #done(): Promise<Buffer[]> {
    this.#isDone = true;
    const held = this.#redaction?.chunks.end();
    if (held) this.#written.add(held);
    const rest = held ? [eventOf(held)] : [];
    const { wantsUsage, count, reader } = this.#parts;
    // What follows is the end of the body, which frees the connection for the next request.
    void reader.all(1000, DRAIN.bytes).catch(() => undefined);
    if (!wantsUsage || this.#usage) return [...rest, DONE_EVENT];
    this.#usage = await count(this.#written);
    const { choices: _, object: __, ...head } = this.#written.completion("", this.#usage);
    const usage = { ...toUsage(this.#usage), ...(this.#usage.isEstimated && { estimated: true }) };
    const chunk = { ...head, object: "chat.completion.chunk", choices: [], usage };
    return [...rest, eventOf(chunk), DONE_EVENT];
  }

  /** Some upstreams end without `[DONE]`, others break off: the difference is whether the answer has an end. */
  async #lastEvents(): Promise<Buffer[]> {
    const { rest } = this.#splitter;
    const kept = rest.length > 0 ? await this.#take(Buffer.concat([rest, Buffer.from("\n\n")])) : [];
    if (this.#isDone || this.#failure !== undefined) return kept;
    if (!this.#written.isFinished) return [...kept, ...this.#broken(new UpstreamFailure("the answer broke off"))];
    return [...kept, ...(await this.#done())];
  }

  /** The client has received a part of the answer, so no other upstream can go on: the stream ends with an error. */
  #broken(failure: unknown): Buffer[] {
    this.#parts.reader.close();
    const isLate = failure instanceof UpstreamFailure && failure.facts.isLate;
    const what =
      failure instanceof UpstreamFailure ? redacted(failure.message, this.#parts.redactor) : "internal error";
    const message = `The upstream failed in the middle of the answer: ${what}.`;
    const reason = isLate ? "upstream_timeout" : "upstream_failed";
    this.#failure = new ServiceError("unavailable", message, { cause: failure, details: { reason } });
    return [
      eventOf({
        error: { message, type: "server_error", param: null, code: reason, request_id: this.#parts.requestId },
      }),
    ];
  }

  /** The client has gone: reads what is left, within bounds, so that the real usage is billed. */
  async #drain(): Promise<void> {
    await this.#reading.catch(() => undefined);
    const untilMs = performance.now() + DRAIN.ms;
    let bytes = 0;
    while (!this.#isDone && this.#failure === undefined && bytes < DRAIN.bytes && performance.now() < untilMs) {
      for (const event of await this.#read()) bytes += event.length;
    }
    this.#parts.reader.close();
    await this.#end("cancelled").catch(() => undefined);
  }

  /** Rejects if the bill cannot be recorded. */
  async #end(status: StreamEnd["status"]): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#parts.onEnd({ status, parts: this.#written, usage: this.#usage, failure: this.#failure });
  }
}

interface Redaction {
  redactor: Redactor;
  chunks: RedactedChunks;
}

/** An event for the client, and what it says. */
interface Taken {
  event: Buffer;
  chunk: Chunk | undefined;
}

function plain(event: Buffer, data: string | undefined): Taken {
  try {
    return { event, chunk: data === undefined ? undefined : chunkOf(relayedJson(data)) };
  } catch {
    return { event, chunk: undefined };
  }
}

function errorText({ error }: Chunk): string {
  const { message = error } = (typeof error === "object" ? error : { message: error }) as { message?: unknown };
  return typeof message === "string" ? message.replace(/\.$/, "") : "it reported an error";
}
