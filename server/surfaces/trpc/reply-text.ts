import { Reply } from "../../operation/reply";

/**
 * The body of a `Reply` as text in the parts in which it arrives. The body is cancelled when `signal` aborts or reading
 * ends early, so that what produces it stops.
 */
export function replyText(reply: unknown, signal: AbortSignal | undefined): AsyncGenerator<string> {
  if (!(reply instanceof Reply)) throw new Error("The operation did not return a reply.");
  const { body, text = "" } = reply;
  if (!(body instanceof ReadableStream)) return whole(text);
  const reader = body.getReader();
  // Not in the generator: one that nobody reads never begins.
  const stop = () => void reader.cancel().catch(() => undefined);
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  return partsOf(reader, () => {
    signal?.removeEventListener("abort", stop);
    stop();
  });
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}

async function* partsOf(reader: ReadableStreamDefaultReader<Uint8Array>, end: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    end();
  }
}
