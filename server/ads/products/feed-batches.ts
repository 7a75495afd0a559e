import { newId } from "../../kernel/ids";
import { BATCH_LENGTH, BATCH_ROWS, ERRORS_MAX, ID_LENGTH_MAX } from "./feed-limits";
import type { FeedLine, LineProblem } from "./feed-line";
import { type FeedProduct, readProduct } from "./feed-product";
import type { FeedResult } from "./feed-result";
import { rowOf } from "./product-row";
import { SeenIds } from "./seen-ids";

/** Feed rows that were checked since the last batch. */
export interface FeedBatch {
  /** Products for `upsertProducts`: a JSON array sorted by id without duplicates; empty text if there are none. */
  rows: string;
  accepted: number;
  rejected: number;
  errors: FeedResult["errors"];
  /** The number of ignored fields, and the first of them. */
  warned: number;
  warnings: FeedResult["errors"];
}

/** Checks the lines of a feed and groups them into batches of at most 1,000 lines or 4 MiB. */
export class FeedBatches {
  readonly seen = new SeenIds();
  /** Lines read from the whole feed so far. */
  lines = 0;
  readonly #feed: { now: Date; remembersIds: boolean };
  readonly #rows = new Map<string, string>();
  #length = 0;
  #accepted = 0;
  #rejected = 0;
  #errors: FeedResult["errors"] = [];
  #errorsListed = 0;
  #warned = 0;
  #warnings: FeedResult["errors"] = [];
  #warningsListed = 0;

  /** `now` is the timestamp of new ids. */
  constructor(feed: { now: Date; remembersIds: boolean }) {
    this.#feed = feed;
  }

  add(line: FeedLine): void {
    this.lines++;
    const { remembersIds } = this.#feed;
    if ("fields" in line && remembersIds && line.fields.id !== undefined) this.seen.add(String(line.fields.id).trim());
    const read = "fields" in line ? readProduct(line.fields) : line.problem;
    if ("code" in read) this.#reject(line, read);
    else this.#accept(line.line, read);
  }

  #accept(line: number, product: FeedProduct): void {
    this.#accepted++;
    for (const { code, message } of product.warnings) {
      this.#warned++;
      if (this.#warningsListed++ < ERRORS_MAX) this.#warnings.push({ line, id: product.externalId, code, message });
    }
    const row = JSON.stringify({ id: newId("prd", this.#feed.now.getTime()), ...rowOf(product) });
    this.#length += row.length;
    this.#rows.set(product.externalId, row);
  }

  get isFull(): boolean {
    return this.#accepted + this.#rejected >= BATCH_ROWS || this.#length >= BATCH_LENGTH;
  }

  /** Returns the rows since the last call, or undefined if there are none. */
  take(): FeedBatch | undefined {
    const [accepted, rejected, errors] = [this.#accepted, this.#rejected, this.#errors];
    const [warned, warnings] = [this.#warned, this.#warnings];
    if (accepted + rejected === 0) return undefined;
    // Feeds that change the same rows lock them in the same order, so that they cannot deadlock.
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    this.#rows.clear();
    this.#errors = [];
    this.#warnings = [];
    this.#length = this.#accepted = this.#rejected = this.#warned = 0;
    return { rows: rows.length === 0 ? "" : `[${rows.join(",")}]`, accepted, rejected, errors, warned, warnings };
  }

  #reject(line: FeedLine, { code, message }: LineProblem): void {
    this.#rejected++;
    if (this.#errorsListed++ < ERRORS_MAX) this.#errors.push({ line: line.line, ...idOf(line), code, message });
  }
}

/** A rejected line may have anything as its id. */
function idOf(line: FeedLine): { id?: string } {
  const id = "fields" in line ? line.fields.id : undefined;
  const text = typeof id === "string" || typeof id === "number" ? String(id).trim() : "";
  return text !== "" && text.length <= ID_LENGTH_MAX ? { id: text } : {};
}
