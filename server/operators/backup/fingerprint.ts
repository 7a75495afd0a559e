import { createHash } from "node:crypto";

/** The SHA-256 of a stream as hex; reads the stream to its end. */
export async function fingerprintOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
