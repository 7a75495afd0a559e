const [LF, CR] = [10, 13];
/** A larger event does not come from an upstream that works; pictures in answers have a few megabytes. */
const EVENT_BYTES_MAX = 8 * 1024 * 1024;

/** Splits the bytes of server-sent events (HTML standard, section 9.2) into events, however they are cut. */
export class EventSplitter {
  #rest: Buffer = Buffer.alloc(0);
  /** Where the search for the end of the event goes on. */
  #searched = 0;

  /** The events that end in this chunk, each with its blank line. Throws for an event without an end. */
  push(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const events: Buffer[] = [];
    let start = 0;
    for (let at = bytes.indexOf(LF, this.#searched); at >= 0; at = bytes.indexOf(LF, at + 1)) {
      const end = endAfter(bytes, at);
      if (end === undefined) continue;
      events.push(bytes.subarray(start, end));
      start = end;
      at = end - 1;
    }
    this.#rest = start === 0 ? bytes : bytes.subarray(start);
    // The last line break may turn out to be the first half of a blank line.
    this.#searched = Math.max(0, this.#rest.length - 2);
    if (this.#rest.length > EVENT_BYTES_MAX) throw new Error(`An event has more than ${EVENT_BYTES_MAX} bytes.`);
    return events;
  }

  /** What came after the last complete event. */
  get rest(): Buffer {
    return this.#rest;
  }
}

/** The end of the blank line that follows the line break at `at`, if one does. */
function endAfter(bytes: Buffer, at: number): number | undefined {
  if (bytes[at + 1] === LF) return at + 2;
  return bytes[at + 1] === CR && bytes[at + 2] === LF ? at + 3 : undefined;
}

/** The data of an event; undefined for comments and events without data. */
export function dataOf(event: Buffer): string | undefined {
  const text = event.toString("utf8");
  if (text.startsWith("data:") && text.indexOf("\n") >= text.length - 2) return text.slice(5).trim();
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).trim()).join("\n");
}

/** The lines of an event that are no data: comments, its name and id. */
export function linesBesideData(event: string): string[] {
  if (event.startsWith("data:") && event.indexOf("\n") >= event.length - 2) return [];
  return event.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("data:"));
}

/** An event with a JSON value. */
export const eventOf = (value: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);

export const DONE_EVENT = Buffer.from("data: [DONE]\n\n");
