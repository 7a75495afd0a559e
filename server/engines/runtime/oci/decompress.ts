import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { RuntimeError } from "../runtime";

const ZSTD_SINCE = "Node 22.15";

/** A stream that decompresses a layer of this media type; undefined if it is not compressed. Throws `image_unsupported`. */
export function decompressorOf(mediaType: string, image: string): Transform | undefined {
  if (mediaType.endsWith("+gzip") || mediaType.endsWith(".tar.gzip")) return zlib.createGunzip();
  if (mediaType.endsWith(".tar")) return undefined;
  if (mediaType.endsWith("+zstd")) {
    if ("createZstdDecompress" in zlib) return zlib.createZstdDecompress();
    throw new RuntimeError(
      "image_unsupported",
      `${image} is compressed with zstd, which needs ${ZSTD_SINCE} or newer.`,
    );
  }
  throw new RuntimeError(
    "image_unsupported",
    `${image} has a layer of the unsupported type ${mediaType.slice(0, 255)}.`,
  );
}
