import type { Pool } from "pg";
import type { Logger } from "pino";
import { EmbeddingsError, type EmbedOptions } from "../../engines/embeddings/embeddings";
import { withExclusiveLock } from "../../engines/postgres/named-lock";
import {
  confirmVectors,
  deleteGoneVectors,
  readItemChanges,
  readStaleItems,
  type StaleItem,
  type StalePage,
  storeVectors,
  VECTOR_TABLES,
  withdrawVectors,
} from "./item-vectors.sql";
import { quantize } from "./quantize";
import { textPrintOf, vectorText } from "./vector-text";

const PAGE = 256;
/** Texts per request: small servers accept 32, and a larger response would take long to parse. */
const BATCH = 16;
/** Concurrent requests. */
const LANES = 2;
/** A model that is loaded on the first request takes long. */
const TIMEOUT_MS = 60_000;
const LOG_EVERY = 1000;

/** A server that makes vectors of texts. */
export interface Embedder {
  readonly model: string;
  embed(texts: readonly string[], options: EmbedOptions): Promise<number[][]>;
}

export interface EmbedItemsOptions {
  sql: Pool;
  embedder: Embedder;
  log: Pick<Logger, "info" | "warn">;
}

/**
 * Makes the vectors of all creatives and products that may serve: of new items, of those whose text changed and of those
 * with a vector of another model. What is stored is the progress, so that any process can continue after a restart;
 * processes take turns.
 */
export class ItemEmbedding {
  readonly #sql: Pool;
  readonly #embedder: Embedder;
  readonly #log: EmbedItemsOptions["log"];
  /** Everything that this snapshot saw has a vector. */
  #since: string | undefined;
  #made = 0;
  #refused = 0;

  constructor({ sql, embedder, log }: EmbedItemsOptions) {
    this.#sql = sql;
    this.#embedder = embedder;
    this.#log = log;
  }

  /** How many vectors this process has made. */
  get made(): number {
    return this.#made;
  }

  /** How many texts the server did not accept. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Makes every vector that is missing, unless another process does it. Rejects if the server fails; the next call
   * continues.
   */
  async round(stopping: AbortSignal): Promise<void> {
    const sql = this.#sql;
    const { snapshot, items, campaigns } = await readItemChanges(sql, this.#since);
    if (!items && !campaigns) return;
    await withExclusiveLock(sql, "vectors", async () => {
      // Any item of a campaign that may serve again can lack a vector.
      const since = campaigns ? undefined : this.#since;
      await deleteGoneVectors(sql, since);
      const before = this.#made;
      await this.#eachPage({ staleness: "changed", since }, stopping, (items) => this.#checkPage(items));
      await this.#eachPage({ staleness: "missing", since }, stopping, (items) => this.#embedPage(items, stopping));
      if (stopping.aborted) return;
      this.#since = snapshot;
      if (this.#made > before) this.#log.info({ made: this.#made - before }, "all items have vectors");
    });
  }

  async #eachPage(which: Which, stopping: AbortSignal, work: (items: StaleItem[]) => Promise<void>): Promise<void> {
    const { model } = this.#embedder;
    for (const table of VECTOR_TABLES) {
      for (let after: string | undefined = ""; after !== undefined && !stopping.aborted; ) {
        const items = await readStaleItems(this.#sql, { ...which, table, model, after, limit: PAGE });
        await work(items);
        after = items.length < PAGE ? undefined : items.at(-1)?.id;
      }
    }
  }

  async #checkPage(items: readonly StaleItem[]): Promise<void> {
    const same = items.filter((item) => textPrintOf(vectorText(item)) === item.print);
    const others = items.filter((item) => !same.includes(item)).map(({ id }) => id);
    if (same.length > 0) await confirmVectors(this.#sql, same);
    if (others.length > 0) await withdrawVectors(this.#sql, others);
  }

  async #embedPage(items: readonly StaleItem[], stopping: AbortSignal): Promise<void> {
    const texts = items.map((item): Text => {
      const text = vectorText(item);
      return { item, text, print: textPrintOf(text) };
    });
    const batches = Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, i) =>
      texts.slice(i * BATCH, (i + 1) * BATCH),
    );
    const lane = async () => {
      for (let batch = batches.shift(); batch && !stopping.aborted; batch = batches.shift()) {
        await this.#embedBatch(batch, stopping);
      }
    };
    await allDone(Array.from({ length: LANES }, lane));
  }

  async #embedBatch(batch: readonly Text[], stopping: AbortSignal): Promise<void> {
    const vectors = await this.#vectorsOf(batch, stopping);
    const stored = batch.map(({ item, print }, i) => ({ item, print, components: vectors[i] ?? null }));
    await storeVectors(this.#sql, this.#embedder.model, stored);
    const before = this.#made;
    this.#made += vectors.filter(Boolean).length;
    if (Math.floor(before / LOG_EVERY) < Math.floor(this.#made / LOG_EVERY)) {
      this.#log.info({ made: this.#made }, "making vectors of items");
    }
  }

  /** If the server does not accept a batch, its texts are sent one by one to find out which. */
  async #vectorsOf(batch: readonly Text[], signal: AbortSignal): Promise<(Int8Array | undefined)[]> {
    try {
      const texts = batch.map(({ text }) => text);
      return (await this.#embedder.embed(texts, { timeoutMs: TIMEOUT_MS, signal })).map(quantize);
    } catch (failure) {
      if (!(failure instanceof EmbeddingsError && failure.isRefusal)) throw failure;
      if (batch.length > 1) {
        const vectors: (Int8Array | undefined)[] = [];
        for (const one of batch) vectors.push(...(await this.#vectorsOf([one], signal)));
        return vectors;
      }
      this.#refused++;
      this.#log.warn({ item: batch[0]?.item.id, err: failure }, "the embeddings server does not accept an item's text");
      return [undefined];
    }
  }
}

type Which = Pick<StalePage, "staleness" | "since">;

interface Text {
  item: StaleItem;
  text: string;
  print: string;
}

/** Waits for all of them, then throws the first failure. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}
