import { createHash } from "node:crypto";

/** Hex SHA-256 of a stream, read to its end. */
export async function fingerprintOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
