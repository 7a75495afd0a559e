import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { TEST_FILE_BYTES } from "./malware";

/** How a content is read: as it is stored, or after decoding. Offsets count decoded bytes then. */
export type Encoding = "none" | "gzip" | "utf-16";

const SNIFF_BYTES = 8192;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
/** Of one object: a bomb of 1 MB becomes 1 GB. */
const DECODED_BYTES_MAX = 4 * 1024 ** 3;
const RATIO_MAX = 300;
const RATIO_FREE_BYTES = 64 * 1024 ** 2;

export interface DecodedContent {
  encoding: Encoding;
  /** The first bytes, after decoding. */
  beginning: Buffer;
  /** Has a NUL byte at its beginning: rules for texts do not apply. */
  isBinary: boolean;
  /** The whole content, the beginning included. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Decompresses gzip and decodes UTF-16. Throws `TooLarge` when decompressed bytes exceed the limit. */
export async function decodedContent(source: AsyncIterable<Uint8Array>): Promise<DecodedContent> {
  const raw = await peeked(source);
  if (raw.beginning.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) {
    const inner = await peeked(decompressed(raw.chunks));
    return { ...(await asText(inner)), encoding: "gzip" };
  }
  return asText(raw);
}

type Peeked = Pick<DecodedContent, "beginning" | "chunks">;

async function asText(content: Peeked): Promise<DecodedContent> {
  const label = unicodeOf(content.beginning);
  if (label === undefined) {
    return { ...content, encoding: "none", isBinary: content.beginning.subarray(0, SNIFF_BYTES).includes(0) };
  }
  return { ...(await peeked(transcoded(content.chunks, label))), encoding: "utf-16", isBinary: false };
}

/** By the byte order mark. */
function unicodeOf(beginning: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (beginning[0] === 0xff && beginning[1] === 0xfe && beginning[2] !== 0) return "utf-16le";
  return beginning[0] === 0xfe && beginning[1] === 0xff ? "utf-16be" : undefined;
}

async function* transcoded(source: AsyncIterable<Uint8Array>, label: string): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder(label);
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Gzip content is longer than this scan reads. */
export class TooLarge extends Error {}

async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let [sent, received] = [0, 0];
  const counted = async function* () {
    for await (const chunk of source) {
      sent += chunk.length;
      yield chunk;
    }
  };
  const input = Readable.from(counted(), { objectMode: false });
  const output = createGunzip({ chunkSize: 256 * 1024 });
  input.on("error", (cause) => output.destroy(cause));
  input.pipe(output);
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) {
      received += chunk.length;
      const isBomb = received > RATIO_FREE_BYTES && received > sent * RATIO_MAX;
      if (isBomb || received > DECODED_BYTES_MAX) throw new TooLarge();
      yield chunk;
    }
  } finally {
    input.destroy();
    output.destroy();
  }
}

/** Reads enough of a content to recognize it. */
async function peeked(source: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < Math.max(SNIFF_BYTES, TEST_FILE_BYTES)) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    first.push(value);
    length += value.length;
  }
  const chunks = async function* () {
    try {
      yield* first;
      for (;;) {
        const { value, done } = await iterator.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  };
  return { beginning: Buffer.concat(first), chunks: chunks() };
}
