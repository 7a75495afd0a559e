/** Cuts chunks into pieces of given lengths; the last one may be shorter. */
export async function* cutChunks(
  chunks: AsyncIterable<Uint8Array>,
  lengthOf: (piece: number) => number,
): AsyncIterable<Buffer> {
  let [piece, filled] = [0, 0];
  let bytes: Buffer | undefined;
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0; ) {
      bytes ??= Buffer.allocUnsafeSlow(lengthOf(piece));
      const taken = rest.subarray(0, bytes.length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < bytes.length) continue;
      yield bytes;
      [bytes, filled, piece] = [undefined, 0, piece + 1];
    }
  }
  if (bytes) yield bytes.subarray(0, filled);
}
