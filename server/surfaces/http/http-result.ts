/** A response before it is built, so that its headers are set only once. */
export interface HttpResult {
  status: number;
  /** Header names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}
