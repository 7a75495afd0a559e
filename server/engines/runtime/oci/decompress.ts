import type { Duplex } from "node:stream";
import zlib from "node:zlib";
import { RuntimeError } from "../runtime";
import { zstdDecompressor } from "./zstd-decompress";

/** A stream that decompresses a layer of this media type; undefined if it is not compressed. Throws `image_unsupported`. */
export function decompressorOf(mediaType: string, image: string): Duplex | undefined {
  if (mediaType.endsWith("+gzip") || mediaType.endsWith(".tar.gzip")) return zlib.createGunzip();
  if (mediaType.endsWith(".tar")) return undefined;
  if (mediaType.endsWith("+zstd")) return zstdDecompressor();
  throw new RuntimeError(
    "image_unsupported",
    `${image} has a layer of the unsupported type ${mediaType.slice(0, 255)}.`,
  );
}
