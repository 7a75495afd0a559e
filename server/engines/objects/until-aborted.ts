/** The chunks of a body; an abort of the signal is thrown even while the body yields nothing. */
export async function* untilAborted(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  if (!signal) return yield* body;
  signal.throwIfAborted();
  const chunks = body[Symbol.asyncIterator]();
  let reject: (reason: unknown) => void = () => undefined;
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  let isDone = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      // Not Promise.race with one promise of the abort, which would keep every chunk in memory until the end.
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, rejectNext) => {
        reject = rejectNext;
        chunks.next().then(resolve, rejectNext);
      });
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
