import { peek } from "./feed-bytes";
import { BrokenFeed } from "./feed-line";

/** How many bytes are read to detect the encoding and the format of a feed. */
const HEAD_BYTES = 4096;
const BYTE_ORDER_MARKS: readonly [charset: string, mark: readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
const UTF32_MARKS: readonly (readonly number[])[] = [
  [0xff, 0xfe, 0, 0],
  [0, 0, 0xfe, 0xff],
];
const XML_ENCODING = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']/i;

/** The text of a feed, with its beginning for the detection of the format. */
export interface FeedText {
  head: string;
  texts: AsyncGenerator<string>;
}

/**
 * Decodes a feed: by its byte order mark, else by the charset of its Content-Type, else by the pattern of UTF-16, else
 * by the encoding of its XML declaration, else as UTF-8. Bytes that the encoding does not have become U+FFFD, and rows
 * with that character in a field that is used are rejected. Throws BrokenFeed for an unknown encoding.
 */
export async function feedText(bytes: AsyncIterable<Uint8Array>, charset: string | undefined): Promise<FeedText> {
  const { head, chunks } = await peek(bytes, HEAD_BYTES);
  const label = charsetOf(head, charset);
  const start = decoderOf(label).decode(head.subarray(0, HEAD_BYTES), { stream: true });
  return { head: start, texts: decoded(chunks, decoderOf(label)) };
}

/** The charset parameter of a Content-Type, undefined without one. */
export function charsetParameter(contentType: string | undefined): string | undefined {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType ?? "") ?? [];
  return (quoted ?? plain)?.trim() || undefined;
}

function charsetOf(head: Uint8Array, declared: string | undefined): string {
  const beginsWith = (mark: readonly number[]) => mark.every((byte, i) => head[i] === byte);
  if (UTF32_MARKS.some(beginsWith)) throw unknownCharset("UTF-32");
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => beginsWith(mark));
  if (marked) return marked[0];
  if (declared !== undefined) return declared;
  // A feed begins with ASCII characters, of which UTF-16 has two bytes each.
  if (head[0] === 0 && head[1]) return "utf-16be";
  if (head[0] && head[1] === 0) return "utf-16le";
  return XML_ENCODING.exec(Buffer.from(head).toString("latin1"))?.[1] ?? "utf-8";
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    throw unknownCharset(label);
  }
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

const unknownCharset = (label: string): BrokenFeed =>
  new BrokenFeed("unknown_charset", `The encoding "${label.slice(0, 40)}" is not supported; save the feed as UTF-8.`);
