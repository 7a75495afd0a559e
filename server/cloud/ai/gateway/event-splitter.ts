import { relayedBytes, textOfRelayed } from "../../../kernel/relayed-bytes";
import { relayedText } from "../../../kernel/relayed-json";

const [LF, CR] = [10, 13];
/** A larger event does not come from an upstream that works; pictures in answers have a few megabytes. */
const EVENT_BYTES_MAX = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_END = /\r\n|\n|\r/;

/**
 * Splits the bytes of server-sent events (HTML standard, section 9.2) into events, however they are cut. A line ends
 * with LF, CR or CRLF, an event with an empty line; a byte order mark at the beginning is left out.
 */
export class EventSplitter {
  #rest: Buffer = Buffer.alloc(0);
  /** Where the last line begins in it. */
  #line = 0;
  /** The last byte was a CR: an LF belongs to it. */
  #isAfterCr = false;
  #isBegun = false;

  /**
   * The events that end in this chunk, each with its empty line. A CR at the end of the chunk ends its line at once, so
   * that no event waits for the next one; an LF that follows is then at the beginning of the next event. Throws for an
   * event without an end.
   */
  push(chunk: Buffer): Buffer[] {
    const bytes = this.#joined(chunk);
    if (!bytes) return [];
    const events: Buffer[] = [];
    let searched = this.#rest.length;
    let [start, line] = [0, this.#line];
    if (this.#isAfterCr && bytes[searched] === LF) line = ++searched;
    const ends = lineEnds(bytes, searched);
    for (const [at, next] of ends) {
      const isEmpty = at === line;
      line = next;
      if (!isEmpty) continue;
      events.push(bytes.subarray(start, next));
      start = next;
    }
    this.#isAfterCr = bytes.at(-1) === CR;
    this.#line = line - start;
    this.#rest = start === 0 ? bytes : bytes.subarray(start);
    if (this.#rest.length > EVENT_BYTES_MAX) throw new Error(`An event has more than ${EVENT_BYTES_MAX} bytes.`);
    return events;
  }

  /** What came after the last complete event. */
  get rest(): Buffer {
    return this.#rest;
  }

  /** What is still to be split, with the chunk; undefined for an empty chunk and as long as it may be a byte order mark. */
  #joined(chunk: Buffer): Buffer | undefined {
    if (chunk.length === 0) return undefined;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#isBegun) return bytes;
    const mark = BYTE_ORDER_MARK.subarray(0, bytes.length);
    const isMark = bytes.subarray(0, mark.length).equals(mark);
    this.#rest = Buffer.alloc(0);
    if (isMark && bytes.length < BYTE_ORDER_MARK.length) {
      this.#rest = bytes;
      return undefined;
    }
    this.#isBegun = true;
    if (!isMark) return bytes;
    return bytes.length === BYTE_ORDER_MARK.length ? undefined : bytes.subarray(BYTE_ORDER_MARK.length);
  }
}

/** Where lines end, and where the next ones begin. */
function* lineEnds(bytes: Buffer, from: number): Generator<[at: number, next: number]> {
  let [lf, cr] = [bytes.indexOf(LF, from), bytes.indexOf(CR, from)];
  while (lf >= 0 || cr >= 0) {
    const isCr = cr >= 0 && (lf < 0 || cr < lf);
    const at = isCr ? cr : lf;
    const next = isCr && bytes[at + 1] === LF ? at + 2 : at + 1;
    yield [at, next];
    if (lf >= 0 && lf < next) lf = bytes.indexOf(LF, next);
    if (cr >= 0 && cr < next) cr = bytes.indexOf(CR, next);
  }
}

/** Whether a text begins with server-sent events, regardless of its media type; a byte order mark counts as a blank. */
export const beginsEvents = (text: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(text);

/** The data of an event, as `textOfRelayed`; undefined for comments and events without data. */
export function dataOf(event: Buffer): string | undefined {
  const text = textOfRelayed(event);
  if (isOneData(text)) return text.slice(5).trim();
  const data = valuesOf(text, "data");
  return data.length === 0 ? undefined : data.map((line) => line.trim()).join("\n");
}

/** The name of an event, of its field `event`; "" without one. */
export function nameOf(event: Buffer): string {
  const text = event.toString("utf8");
  return isOneData(text) ? "" : (valuesOf(text, "event").at(-1) ?? "");
}

/** The lines of an event that are no data: comments, its name and id. */
export function linesBesideData(event: string): string[] {
  if (isOneData(event)) return [];
  return event.split(LINE_END).filter((line) => line !== "" && line !== "data" && !line.startsWith("data:"));
}

/** One line of data and nothing else, as most events have. */
function isOneData(text: string): boolean {
  if (!text.startsWith("data:")) return false;
  const end = text.search(/[\r\n]/);
  return end < 0 || end >= text.length - 2 || text.slice(end).trim() === "";
}

function valuesOf(event: string, field: string): string[] {
  return event.split(LINE_END).flatMap((line) => {
    if (line === field) return [""];
    return line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, "")] : [];
  });
}

/** An event with a JSON value, of which numbers may be marks of `relayedJson`, and bytes of `textOfRelayed`. */
export const eventOf = (value: unknown): Buffer => relayedBytes(`data: ${relayedText(value)}\n\n`);

export const DONE_EVENT = Buffer.from("data: [DONE]\n\n");
