import { Worker } from "node:worker_threads";
import type { FeedBatch } from "./feed-batches";
import type { FeedLimits } from "./feed-limits";
import { BrokenFeed } from "./feed-line";
import type { FromFeedThread, ToFeedThread } from "./feed-messages";
import type { FeedOrder } from "./read-feed";
import { interrupted, SentBytes } from "./sent-bytes";

/** JavaScript memory outside the heap's old generation; V8's own default for a thread is larger. */
const YOUNG_GENERATION_MIB = 16;
const STACK_MIB = 4;
const METER_MS = 500;

export interface FeedThreadParts {
  /** The built feed-worker.ts. */
  workerFile: string;
  order: FeedOrder;
  limits: FeedLimits;
  /** Stops the import immediately; if the reason is a BrokenFeed, the import throws it. */
  signal: AbortSignal;
  /** Stores a batch; the thread is at most one batch ahead. */
  store: (batch: FeedBatch) => Promise<void>;
}

/**
 * Decompresses, parses and checks a feed in a separate thread. When this returns or throws, the thread and the last
 * `store` have ended. Returns the sorted hashes of the ids in the feed. Throws BrokenFeed for a feed that was not read
 * to its end, errors of `store`, and errors with which the HTTP layer rejects the body.
 */
export async function readOnThread(
  body: ReadableStream<Uint8Array>,
  { workerFile, order, limits, signal, store }: FeedThreadParts,
): Promise<BigUint64Array<ArrayBuffer>> {
  const sent = new SentBytes(body, limits);
  const thread = startThread(workerFile, order, limits);
  const meter = new ComputeMeter(thread, limits);
  const post: Post = (message, moved = []) => thread.postMessage(message, moved);
  let storing = Promise.resolve();
  let unwatch = () => {};
  try {
    return await new Promise((resolve, reject) => {
      unwatch = watch({ signal, limits, meter }, reject);
      thread.on("error", (cause) => reject(failureOf(cause, limits)));
      thread.on("exit", (code) => reject(new Error(`the import thread exited with code ${code}`)));
      thread.on("message", (message: FromFeedThread) => {
        if (message.type === "done") resolve(message.ids);
        else if (message.type === "broken") reject(new BrokenFeed(message.reason, message.message, message.line));
        else if (message.type === "more") sendNext(sent, post).catch(reject);
        else {
          storing = store(message.batch).then(() => {
            if (message.batch.rows !== "") meter.restart();
            post({ type: "written" });
          });
          storing.catch(reject);
        }
      });
    });
  } finally {
    unwatch();
    await Promise.all([thread.terminate(), sent.cancel(), storing.catch(() => undefined)]);
  }
}

type Post = (message: ToFeedThread, moved?: ArrayBuffer[]) => void;

/** The thread only computes, so it gets no environment variables. */
const startThread = (workerFile: string, order: FeedOrder, { heapMib }: FeedLimits): Worker =>
  new Worker(workerFile, {
    workerData: order,
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: heapMib,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB,
      stackSizeMb: STACK_MIB,
    },
  });

/** Reports a failing body to the thread, which first emits the rows that came before. */
async function sendNext(sent: SentBytes, post: Post): Promise<void> {
  try {
    const bytes = await sent.next();
    if (bytes) post({ type: "bytes", bytes }, [bytes.buffer]);
    else post({ type: "end" });
  } catch (cause) {
    if (!(cause instanceof BrokenFeed)) throw cause;
    post({ type: "failed", reason: cause.reason, message: cause.message });
  }
}

function failureOf(cause: unknown, { heapMib }: FeedLimits): unknown {
  if ((cause as { code?: unknown } | undefined)?.code !== "ERR_WORKER_OUT_OF_MEMORY") return cause;
  return new BrokenFeed("memory", `Parsing the feed requires more than ${heapMib} MiB of memory; send smaller rows.`);
}

interface Watched {
  signal: AbortSignal;
  limits: FeedLimits;
  meter: ComputeMeter;
}

/** Stops the import when the client or the server cancels it, or when it exceeds its time or CPU limit. */
function watch({ signal, limits: { totalMs }, meter }: Watched, end: (cause: unknown) => void): () => void {
  const onAbort = () => end(signal.reason instanceof BrokenFeed ? signal.reason : interrupted());
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const late = setTimeout(() => {
    end(new BrokenFeed("import_time", `An import may take at most ${totalMs / 1000} seconds; split the feed.`));
  }, totalMs);
  const metering = setInterval(() => {
    const excess = meter.excess();
    if (excess) end(new BrokenFeed("compute_time", excess));
  }, METER_MS);
  return () => {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(late);
    clearInterval(metering);
  };
}

/** The CPU time of a thread; measured from outside, so it also works while the thread is busy. */
class ComputeMeter {
  readonly #thread: Worker;
  readonly #limits: Pick<FeedLimits, "computeMs" | "computeBetweenProductsMs">;
  #atLastProduct = 0;

  constructor(thread: Worker, limits: Pick<FeedLimits, "computeMs" | "computeBetweenProductsMs">) {
    this.#thread = thread;
    this.#limits = limits;
  }

  /** Called when a product was stored. */
  restart(): void {
    this.#atLastProduct = this.#computedMs();
  }

  /** The limit that was exceeded, as a sentence. */
  excess(): string | undefined {
    const { computeMs, computeBetweenProductsMs } = this.#limits;
    const computed = this.#computedMs();
    if (computed > computeMs) return `Parsing a feed may take at most ${computeMs / 1000} seconds of CPU time.`;
    if (computed - this.#atLastProduct <= computeBetweenProductsMs) return undefined;
    return `Parsing the feed took ${computeBetweenProductsMs / 1000} seconds of CPU time without a valid product.`;
  }

  #computedMs(): number {
    return this.#thread.performance.eventLoopUtilization().active;
  }
}
