import type { FeedBatch } from "./feed-batches";
import type { BreakReason } from "./feed-line";

/** Messages to the thread of an import. */
export type ToFeedThread =
  | { type: "bytes"; bytes: Uint8Array }
  | { type: "end" }
  /** The body failed: the thread emits the rows before it, then ends the feed with this error. */
  | { type: "failed"; reason: BreakReason; message: string }
  | { type: "written" };

/** Messages from the thread: `more` requests bytes, and each batch is acknowledged with `written`. */
export type FromFeedThread =
  | { type: "more" }
  | { type: "batch"; batch: FeedBatch }
  | { type: "broken"; reason: BreakReason; message: string; line: number | undefined }
  /** The sorted hashes of the ids in the feed, see SeenIds. */
  | { type: "done"; ids: BigUint64Array<ArrayBuffer> };
