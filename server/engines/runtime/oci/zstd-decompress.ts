import { Duplex } from "node:stream";
import zlib from "node:zlib";
import { Decompress } from "fzstd";
import { RuntimeError } from "../runtime";

/** Four bytes can stand for 128 KiB: so much input is decompressed at a time that its output fits the memory. */
const SLICE_BYTES = 256;

/** A stream that decompresses zstd, with Node's own code where it has it (Node 22.15). Fails with `image_invalid`. */
export const zstdDecompressor = (): Duplex =>
  "createZstdDecompress" in zlib ? zlib.createZstdDecompress() : Duplex.from(decompressed);

/** `zstdDecompressor` without Node's own code, for windows of up to 32 MiB. */
export async function* decompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const decoder = new Decompress((part) => void (part.length > 0 && ready.push(part)));
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        decoder.push(chunk.subarray(at, at + SLICE_BYTES));
        yield* ready.splice(0);
      }
    }
    decoder.push(new Uint8Array(), true);
    yield* ready.splice(0);
  } catch (cause) {
    if (!isOfZstd(cause)) throw cause;
    throw new RuntimeError("image_invalid", "A layer is not valid zstd, or has a window of more than 32 MiB.", {
      cause,
    });
  }
}

/** Its failures have a number. */
const isOfZstd = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && typeof cause.code === "number";
