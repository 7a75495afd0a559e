/**
 * A result that an operation has already encoded, with headers of its own: JSON as text, or server-sent events as a
 * stream of bytes. Surfaces other than HTTP do not accept it.
 */
export class Reply {
  constructor(
    readonly body: string | ReadableStream<Uint8Array>,
    /** In lower case; the media type follows from the body. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}
