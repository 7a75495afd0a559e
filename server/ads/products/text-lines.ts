import { ROW_LIMITS } from "./feed-limits";

const { bytesMax } = ROW_LIMITS;

/** A line without its end; `text` is undefined if it has more than 1 Mi characters. */
export interface TextLine {
  text: string | undefined;
  /** Counted from 1. */
  line: number;
}

/** The lines of a text, which end with LF, CR LF or CR; characters over the limit of a line are discarded. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let parts: string[] = [];
  let length = 0;
  let line = 1;
  const add = (part: string) => {
    length += part.length;
    if (length > bytesMax) parts = [];
    else parts.push(part);
  };
  const take = (): TextLine => {
    const taken = { text: length > bytesMax ? undefined : parts.join(""), line: line++ };
    parts = [];
    length = 0;
    return taken;
  };
  for await (const text of withNewlines(texts)) {
    const pieces = text.split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      add(piece);
      yield take();
    }
    add(last);
  }
  if (length > 0) yield take();
}

/** Converts line ends to LF; of a CR LF, both may come in different pieces. */
export async function* withNewlines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const piece of texts) {
    const text = held + piece;
    held = text.endsWith("\r") ? "\r" : "";
    const ready = text.slice(0, text.length - held.length).replace(/\r\n?/g, "\n");
    if (ready !== "") yield ready;
  }
  if (held !== "") yield "\n";
}
