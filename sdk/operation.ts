/** How one operation of the API is called. */
export interface Operation {
  /** What it is about, as the client groups it: `channelKeys`. */
  noun: string;
  verb: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  path: string;
  /** Which key it wants: a platform key or session token, a channel key, or none. */
  credential: "platform" | "channel" | "none";
  /** Fields of the input that go into the query string. */
  query?: readonly string[];
  /** Whether it takes a JSON body. */
  body?: true;
  /** Takes an Idempotency-Key, under which it happens once however often it arrives. */
  idempotent?: true;
  /** Has the same effect however often it arrives. */
  repeatable?: true;
  /** Answers one page of a list. */
  paged?: true;
  /** Takes a stream of bytes as its body. */
  upload?: true;
  /** Answers CSV, as text, where the input's `format` is "csv". */
  csv?: true;
}

/** What one call may say for itself; what is left out comes from the client's options. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For each try. Default 30,000, and an hour for uploads. */
  timeoutMs?: number | undefined;
  /** For the whole call with its tries and pauses; for a list, for each page. Default 120,000, and an hour for uploads. */
  totalTimeoutMs?: number | undefined;
  /** How often it may be sent again. Default 3. */
  retries?: number | undefined;
  /** A UUID under which a create happens once within 24 h, in whatever process. Default: one of its own for every call. */
  idempotencyKey?: string | undefined;
  /** Stands in the logs of svc: up to 128 of `A-Z a-z 0-9 . _ -`. Default: a UUID for every call. */
  requestId?: string | undefined;
}

/** A feed: text, bytes, or what makes a stream of them, which alone of the streams can be sent again after a limit. */
export type FeedBody =
  | string
  | Uint8Array<ArrayBuffer>
  | Blob
  | ReadableStream<Uint8Array>
  | (() => ReadableStream<Uint8Array>);

export interface Page<T> {
  data: T[];
  /** Where the next page begins; null on the last one. Good for 24 h. */
  next_cursor: string | null;
}

/** A list: `for await (const item of list)` fetches page after page; nothing is fetched before. */
export interface Pages<T> extends AsyncIterable<T> {
  /** One page: the first, or that of the input's `cursor`. */
  page(): Promise<Page<T>>;
  /** Page after page. */
  pages(): AsyncIterable<Page<T>>;
}
