/** How one operation of the API is called. */
export interface Operation {
  /** The resource, which is the client's group: `channelKeys`. */
  noun: string;
  verb: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  path: string;
  /** The credential it needs: a platform key or session token, a channel key, or none. */
  credential: "platform" | "channel" | "none";
  /** Fields of the input that go into the query string. */
  query?: readonly string[];
  /** Whether it takes a JSON body. */
  body?: true;
  /** Accepts an Idempotency-Key, with which it takes effect once, however often it is sent. */
  idempotent?: true;
  /** Has the same effect, however often it is sent. */
  repeatable?: true;
  /** Returns one page of a list. */
  paged?: true;
  /** Accepts a stream of bytes as its body. */
  upload?: true;
  /** Returns CSV as text when the input's `format` is "csv". */
  csv?: true;
}

/** Options of one call; the client's options are the defaults. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For each attempt; a long poll has its `wait_seconds` in addition. Default 30,000, and an hour for uploads. */
  timeoutMs?: number | undefined;
  /** For the whole call with its attempts and delays; for a list, per page. Default 120,000, and an hour for uploads. */
  totalTimeoutMs?: number | undefined;
  /** The maximum number of retries. Default 3. */
  retries?: number | undefined;
  /** A UUID that makes a create take effect once within 24 h, across processes. Default: a new one for every call. */
  idempotencyKey?: string | undefined;
  /** Appears in the logs of svc: up to 128 of `A-Z a-z 0-9 . _ -`. Default: a new UUID for every call. */
  requestId?: string | undefined;
}

/** A feed: text, bytes, a stream, or a function that creates a stream. A plain stream cannot be retried. */
export type FeedBody =
  | string
  | Uint8Array<ArrayBuffer>
  | Blob
  | ReadableStream<Uint8Array>
  | (() => ReadableStream<Uint8Array>);

export interface Page<T> {
  data: T[];
  /** The cursor of the next page; null on the last one. Valid for 24 h. */
  next_cursor: string | null;
}

/** A list: `for await (const item of list)` fetches page by page, and nothing before the iteration. */
export interface Pages<T> extends AsyncIterable<T> {
  /** One page: the first, or that of the input's `cursor`. */
  page(): Promise<Page<T>>;
  /** Page after page. */
  pages(): AsyncIterable<Page<T>>;
}
