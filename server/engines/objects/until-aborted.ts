/** The chunks of a body; an abort of the signal is thrown even while the body yields nothing. */
export async function* untilAborted(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  if (!signal) return yield* body;
  signal.throwIfAborted();
  const chunks = body[Symbol.asyncIterator]();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  aborted.catch(() => undefined);
  let isDone = false;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted]);
      signal.throwIfAborted();
      if (next.done) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // Not awaited: a body that waits for its client ends only after that.
    if (!isDone) Promise.resolve(chunks.return?.()).catch(() => undefined);
  }
}
