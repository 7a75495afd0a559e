import type { AdsCtx } from "../ads-ctx";
import type { FeedLine, LineProblem } from "./feed-line";
import { type FeedProduct, readProduct } from "./feed-product";
import type { FeedResult } from "./feed-result";
import { upsertProducts } from "./products.sql";
import { SeenIds } from "./seen-ids";

const BATCH_ROWS = 1000;
const ERRORS_MAX = 1000;

/** Takes a feed's lines one by one, writes them in batches and counts what became of them. */
export class FeedTally {
  readonly seen = new SeenIds();
  accepted = 0;
  rejected = 0;
  readonly #ctx: Pick<AdsCtx, "sql" | "clock">;
  readonly #feed: { campaignId: string; remembersIds: boolean };
  readonly #batch = new Map<string, FeedProduct>();
  readonly #errors: FeedResult["errors"] = [];

  constructor(ctx: Pick<AdsCtx, "sql" | "clock">, feed: { campaignId: string; remembersIds: boolean }) {
    this.#ctx = ctx;
    this.#feed = feed;
  }

  /** Resolves when the next line may come: at once, or after a full batch was written. */
  add(line: FeedLine): Promise<void> | undefined {
    if ("problem" in line) {
      this.#reject(line.line, line.problem);
      return;
    }
    if (this.#feed.remembersIds && line.fields.id !== undefined) this.seen.add(String(line.fields.id).trim());
    const product = readProduct(line.fields, this.#ctx.clock.now());
    if ("code" in product) {
      this.#reject(line.line, product);
      return;
    }
    this.accepted++;
    this.#batch.set(product.externalId, product);
    return this.#batch.size < BATCH_ROWS ? undefined : this.flush();
  }

  /** Writes what is waiting. */
  async flush(): Promise<void> {
    const products = [...this.#batch.values()];
    this.#batch.clear();
    await upsertProducts(this.#ctx.sql, { campaignId: this.#feed.campaignId, now: this.#ctx.clock.now() }, products);
  }

  result(): FeedResult {
    return {
      accepted: this.accepted,
      rejected: this.rejected,
      errors: this.#errors,
      ...(this.rejected > this.#errors.length && { errors_truncated: true }),
    };
  }

  #reject(line: number, { code, message }: LineProblem): void {
    this.rejected++;
    if (this.#errors.length < ERRORS_MAX) this.#errors.push({ line, code, message });
  }
}
