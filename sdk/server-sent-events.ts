/** As much as one event may have; a line that never ends must not fill the memory. */
const EVENT_CHARACTERS_MAX = 16 * 1024 * 1024;

/** The data of each server-sent event of a body (WHATWG HTML, section 9.2); comments and other fields are skipped. */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  let isAfterCr = false;
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A CR at the end of a chunk ends its line, so that no event waits for the next one; an LF behind it ends none.
      rest += isAfterCr && text.startsWith("\n") ? text.slice(1) : text;
      isAfterCr = text === "" ? isAfterCr : text.endsWith("\r");
      const lines = rest.split(/\r\n|\n|\r/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "" && data.length > 0) {
          yield data.join("\n");
          data = [];
        } else if (line === "data") data.push("");
        else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      }
      if (done) return;
      if (rest.length > EVENT_CHARACTERS_MAX) throw new Error("A server-sent event is longer than 16 MiB.");
    }
  } finally {
    // Ends the request when the consumer stops early.
    await reader.cancel().catch(() => undefined);
  }
}
