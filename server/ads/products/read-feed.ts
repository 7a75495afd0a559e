import { csvLines } from "./csv-lines";
import { type FeedBatch, FeedBatches } from "./feed-batches";
import { feedBytes } from "./feed-bytes";
import { type FeedFormat, guessFormat } from "./feed-format";
import type { FeedLimits } from "./feed-limits";
import { BrokenFeed, type FeedLine } from "./feed-line";
import { feedText } from "./feed-text";
import { ndjsonLines } from "./ndjson-lines";
import { xmlLines } from "./xml-lines";

/** Metadata of a feed, known before its first byte. */
export interface FeedOrder {
  /** If undefined, the format is detected from the first characters. */
  format: FeedFormat | undefined;
  /** The charset of the Content-Type. */
  charset: string | undefined;
  /** Gzip is also detected by its first bytes. */
  isGzip: boolean;
  /** Returns a hash of each id, for `replace`. */
  remembersIds: boolean;
  /** When the import started. */
  now: Date;
  limits: Pick<FeedLimits, "bytesMax" | "ratioMax" | "ratioGraceBytes" | "gapBytesMax" | "rowsMax">;
}

/**
 * Emits a feed's rows in batches, and requests more bytes only after `write` of the batch before the last one has
 * resolved. Returns the sorted hashes of the ids in the feed (see SeenIds). Throws BrokenFeed where the feed cannot be
 * read further, after emitting the rows before that point.
 */
export async function readFeed(
  sent: AsyncIterable<Uint8Array>,
  order: FeedOrder,
  write: (batch: FeedBatch) => Promise<void>,
): Promise<BigUint64Array<ArrayBuffer>> {
  const batches = new FeedBatches(order);
  let writing = Promise.resolve();
  const hand = async () => {
    const batch = batches.take();
    if (!batch) return;
    await writing;
    writing = write(batch);
  };
  try {
    for await (const line of boundedLines(sent, order)) {
      batches.add(line);
      if (batches.lines > order.limits.rowsMax) throw tooManyRows(order.limits.rowsMax);
      if (batches.isFull) await hand();
    }
  } finally {
    await hand();
    await writing;
  }
  return batches.ids.sorted();
}

/** The lines of a feed; throws if too many bytes pass without one. */
async function* boundedLines(sent: AsyncIterable<Uint8Array>, order: FeedOrder): AsyncGenerator<FeedLine> {
  const { isGzip, limits } = order;
  let gap = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      gap += chunk.length;
      yield chunk;
      if (gap > limits.gapBytesMax) throw noRows(limits.gapBytesMax);
    }
  }
  for await (const line of linesOf(counted(feedBytes(sent, { isGzip, limits })), order)) {
    gap = 0;
    yield line;
  }
}

async function* linesOf(
  bytes: AsyncGenerator<Uint8Array>,
  { format: declared, charset }: Pick<FeedOrder, "format" | "charset">,
): AsyncGenerator<FeedLine> {
  const { head, texts } = await feedText(bytes, charset);
  const format = declared ?? guessFormat(head);
  if (format === "ndjson") yield* ndjsonLines(texts);
  else if (format === "xml") yield* xmlLines(texts);
  else yield* csvLines(texts, format === "csv" ? "," : "\t");
}

const noRows = (bytes: number) => new BrokenFeed("no_rows", `The feed has more than ${bytes} bytes without a product.`);

const tooManyRows = (rows: number) =>
  new BrokenFeed("too_many_rows", `A feed may have at most ${rows} rows; split it into several campaigns.`);
