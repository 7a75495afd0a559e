import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { ItemText } from "./item-words";
import type { PreparedItem } from "./prepare-item";

/** Prepares many items for the index without blocking requests. */
export interface Indexer {
  /** Returns the items of `texts`, in order, or undefined if this thread has to prepare them. */
  prepare(texts: readonly ItemText[]): Promise<PreparedItem[] | undefined>;
  stop(): Promise<void>;
}

export interface IndexOrder {
  id: number;
  texts: readonly ItemText[];
}

export interface IndexResult {
  id: number;
  items: (Omit<PreparedItem, "words" | "written"> & { words: string; written: string })[];
}

const IDLE_MS = 30_000;

/**
 * Runs `file` (the compiled index-worker.ts) on a thread while there is work. If the file is missing or fails, the
 * calling thread does the work.
 */
export class ThreadIndexer implements Indexer {
  readonly #file: string;
  readonly #log: Pick<Logger, "warn">;
  #worker: Worker | undefined;
  #orders = 0;
  #isBroken: boolean;
  readonly #open = new Map<number, (items: PreparedItem[] | undefined) => void>();
  #idle: NodeJS.Timeout | undefined;

  constructor(file: string, log: Pick<Logger, "warn">) {
    this.#file = file;
    this.#log = log;
    this.#isBroken = !existsSync(file);
  }

  prepare(texts: readonly ItemText[]): Promise<PreparedItem[] | undefined> {
    if (this.#isBroken) return Promise.resolve(undefined);
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#orders;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      worker.postMessage({ id, texts } satisfies IndexOrder);
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    this.#isBroken = true;
    await this.#worker?.terminate();
    this.#giveUp();
  }

  #start(): Worker {
    const worker = new Worker(this.#file);
    worker.unref();
    worker.on("message", ({ id, items }: IndexResult) => {
      this.#open.get(id)?.(
        items.map(({ words, written, ...rest }) => ({ ...rest, words: linesOf(words), written: linesOf(written) })),
      );
      this.#open.delete(id);
      if (this.#open.size > 0) return;
      this.#idle = setTimeout(() => {
        this.#worker = undefined;
        void worker.terminate();
      }, IDLE_MS).unref();
    });
    worker.on("error", (err) => {
      this.#log.warn({ err }, "the indexing thread failed; the main thread indexes from now on");
      this.#isBroken = true;
      this.#giveUp();
    });
    return worker;
  }

  #giveUp(): void {
    for (const resolve of this.#open.values()) resolve(undefined);
    this.#open.clear();
  }
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.split("\n"));
