import { ByteReader } from "./byte-reader";
import type { ChunkSignatures } from "./chunk-signatures";
import { S3Error } from "./s3-error";

const CHUNK_HEAD = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i;
const TRAILER_SIGNATURE = "x-amz-trailer-signature";
const TRAILERS_MAX = 10;

export interface ChunkedBody {
  source: AsyncIterator<Uint8Array>;
  /** The announced number of bytes without the framing. */
  size: number;
  /** Absent for chunks without signatures. */
  signatures?: ChunkSignatures | undefined;
  /** The names that `x-amz-trailer` announced, in lower case; undefined: the body has no trailers. */
  trailerNames?: readonly string[] | undefined;
  /** Receives the trailers, after their signature was verified, before the stream ends. */
  onTrailers: (trailers: ReadonlyMap<string, string>) => void;
}

/**
 * The bytes of a body with `Content-Encoding: aws-chunked`, as they arrive. A chunk is passed on before its signature
 * is verified, but the stream throws before it ends if one does not match. Throws `IncompleteBody`,
 * `SignatureDoesNotMatch` and `MalformedTrailerError`.
 */
export async function* decodeChunks(body: ChunkedBody): AsyncGenerator<Uint8Array> {
  try {
    yield* decode(body);
  } finally {
    await body.source.return?.();
  }
}

async function* decode(body: ChunkedBody): AsyncGenerator<Uint8Array> {
  const { size, signatures } = body;
  const reader = new ByteReader(body.source, malformed);
  for (let left = size; ; ) {
    const { bytes, signature } = headOf(await reader.line(), signatures !== undefined);
    if (bytes > left) throw malformed(`it has more bytes than x-amz-decoded-content-length, ${size}`);
    left -= bytes;
    for (let inChunk = bytes; inChunk > 0; ) {
      const piece = await reader.some(inChunk);
      inChunk -= piece.length;
      signatures?.add(piece);
      yield piece;
    }
    signatures?.endChunk(signature);
    if (bytes === 0) {
      if (left > 0) throw malformed(`it has fewer bytes than x-amz-decoded-content-length, ${size}`);
      break;
    }
    if ((await reader.line()) !== "") throw malformed("a chunk is longer than its length says");
  }
  await readTrailers(reader, body);
  if (!(await reader.isAtEnd())) throw malformed("bytes follow its end");
}

function headOf(line: string, isSigned: boolean): { bytes: number; signature: string } {
  const [, length = "", signature = ""] = CHUNK_HEAD.exec(line) ?? [];
  if (length === "") throw malformed("expected <length in hex>[;chunk-signature=<64 hex digits>] before each chunk");
  if (isSigned && signature === "") throw malformed("the signature of a chunk is missing");
  return { bytes: Number.parseInt(length, 16), signature };
}

async function readTrailers(reader: ByteReader, { signatures, trailerNames, onTrailers }: ChunkedBody): Promise<void> {
  const trailers = new Map<string, string>();
  let signed = "";
  let signature: string | undefined;
  // Some clients leave out the empty line at the end.
  while (!(await reader.isAtEnd())) {
    const line = await reader.line();
    if (line === "") break;
    const [, name = "", value = ""] = /^([^:\s]+)[ \t]*:\s*(.*?)\s*$/s.exec(line) ?? [];
    const lower = name.toLowerCase();
    if (trailerNames === undefined || trailers.size >= TRAILERS_MAX || trailers.has(lower)) {
      throw malformedTrailer("there is a trailer too many");
    }
    if (lower === TRAILER_SIGNATURE && signatures) {
      signature = value;
      continue;
    }
    if (!trailerNames.includes(lower)) throw malformedTrailer("a trailer was not announced in x-amz-trailer");
    trailers.set(lower, value);
    signed += `${lower}:${value}\n`;
  }
  const missing = trailerNames?.find((name) => !trailers.has(name));
  if (missing !== undefined) throw malformedTrailer(`the trailer ${missing.slice(0, 80)} is missing`);
  if (trailerNames && signatures) signatures.endTrailers(signed, signature ?? "");
  onTrailers(trailers);
}

const malformed = (what: string): S3Error =>
  new S3Error("IncompleteBody", `The aws-chunked body is malformed: ${what}.`);

const malformedTrailer = (what: string): S3Error =>
  new S3Error("MalformedTrailerError", `The trailers of the body are malformed: ${what}.`);
