import type { HttpResult } from "./http-result";

/**
 * Server-sent events (HTML standard, section 9.2): one `data` line of JSON per value; the stream ends with the
 * iterable.
 */
export function eventStream(events: AsyncIterable<unknown>, headers: Record<string, string>): HttpResult {
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
    },
    // The client disconnected: stop the producer of the events.
    async cancel() {
      await iterator.return?.();
    },
  });
  headers["content-type"] = "text/event-stream; charset=utf-8";
  headers["x-accel-buffering"] = "no";
  return { status: 200, headers, body };
}
