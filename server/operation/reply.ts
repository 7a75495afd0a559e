import { hasRelayedBytes, relayedBytes } from "../kernel/relayed-bytes";

/**
 * A result that an operation has already encoded, with headers of its own: JSON as text (as bytes if it is not UTF-8), or
 * server-sent events as a stream of bytes. Surfaces other than HTTP take only JSON.
 */
export class Reply {
  constructor(
    readonly body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>,
    /** In lower case; the media type follows from the body. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** The JSON, with U+FFFD in place of what is not UTF-8; undefined for a stream. */
  get text(): string | undefined {
    return this.body instanceof ReadableStream ? undefined : this.body.toString();
  }
}

/** The reply with JSON that may have marks of `textOfRelayed`. */
export const relayedReply = (text: string, headers?: Reply["headers"]): Reply =>
  new Reply(hasRelayedBytes(text) ? relayedBytes(text) : text, headers);
