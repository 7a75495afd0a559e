import { newId } from "../../kernel/ids";
import { BATCH_LENGTH, BATCH_ROWS, ERRORS_MAX, ID_LENGTH_MAX } from "./feed-limits";
import type { FeedLine, LineProblem } from "./feed-line";
import { type FeedProduct, readProduct } from "./feed-product";
import type { FeedResult } from "./feed-result";
import { numberText } from "./number-text";
import { unwrapped } from "./plain-text";
import { rowOf } from "./product-row";
import { FeedIds } from "./seen-ids";

/** Feed rows that were checked since the last batch. */
export interface FeedBatch {
  /** Products for `upsertProducts`: a JSON array sorted by id without duplicates; empty text if there are none. */
  rows: string;
  /** Products that the feed has for the first time. */
  accepted: number;
  rejected: number;
  errors: FeedResult["errors"];
  /** The number of ignored fields and repeated ids, and the first of them. */
  warned: number;
  warnings: FeedResult["errors"];
}

/** Checks the lines of a feed and groups them into batches of at most 1,000 lines or 4 MiB. */
export class FeedBatches {
  readonly ids = new FeedIds();
  /** Lines read from the whole feed so far. */
  lines = 0;
  readonly #feed: { now: Date; remembersIds: boolean };
  readonly #rows = new Map<string, string>();
  #linesOfBatch = 0;
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
    this.#linesOfBatch++;
    const read = "fields" in line ? readProduct(line.fields) : line.problem;
    if ("code" in read) this.#reject(line, read);
    else this.#accept(line.line, read);
  }

  #accept(line: number, product: FeedProduct): void {
    const id = product.externalId;
    const before = this.ids.put(id, line);
    // A product counts once, like the one that is stored.
    if (before) this.#warn({ line, id, code: "repeated_id", message: repeated(before) });
    else this.#accepted++;
    for (const { code, message } of product.warnings) this.#warn({ line, id, code, message });
    const row = JSON.stringify({ id: newId("prd", this.#feed.now.getTime()), ...rowOf(product) });
    this.#length += row.length;
    this.#rows.set(product.externalId, row);
  }

  #warn(warning: FeedResult["errors"][number]): void {
    this.#warned++;
    if (this.#warningsListed++ < ERRORS_MAX) this.#warnings.push(warning);
  }

  get isFull(): boolean {
    return this.#linesOfBatch >= BATCH_ROWS || this.#length >= BATCH_LENGTH;
  }

  /** Returns the rows since the last call, or undefined if there are none. */
  take(): FeedBatch | undefined {
    const [accepted, rejected, errors] = [this.#accepted, this.#rejected, this.#errors];
    const [warned, warnings] = [this.#warned, this.#warnings];
    if (this.#linesOfBatch === 0) return undefined;
    // Feeds that change the same rows lock them in the same order, so that they cannot deadlock.
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    this.#rows.clear();
    this.#errors = [];
    this.#warnings = [];
    this.#linesOfBatch = this.#length = this.#accepted = this.#rejected = this.#warned = 0;
    return { rows: rows.length === 0 ? "" : `[${rows.join(",")}]`, accepted, rejected, errors, warned, warnings };
  }

  #reject(line: FeedLine, { code, message }: LineProblem): void {
    const id = idOf(line);
    this.#rejected++;
    if (this.#feed.remembersIds && id !== undefined) this.ids.mention(id);
    if (this.#errorsListed++ >= ERRORS_MAX) return;
    this.#errors.push({ line: line.line, ...(id !== undefined && { id }), code, message });
  }
}

/** A rejected line may have anything as its id. */
function idOf(line: FeedLine): string | undefined {
  const id = "fields" in line ? line.fields.id : undefined;
  const text = unwrapped(typeof id === "string" ? id : (numberText(id) ?? "")).trim();
  return text !== "" && text.length <= ID_LENGTH_MAX ? text : undefined;
}

const repeated = (line: number): string =>
  `id: repeated from line ${line}; of the lines with one id, the last one counts`;
