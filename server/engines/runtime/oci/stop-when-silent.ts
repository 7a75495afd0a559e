import { PassThrough, pipeline, type Readable } from "node:stream";

/** The bytes of `source`; fails when none arrives for `silentMs`, or when `source` is cut off. */
export function stopWhenSilent(
  source: Readable,
  { silentMs, failure }: { silentMs: number; failure: () => Error },
): Readable {
  const output = new PassThrough();
  const stop = () => source.destroy(failure());
  let timer = setTimeout(stop, silentMs);
  // Time during which the consumer does not read is not silence of the source.
  source.on("data", () => {
    clearTimeout(timer);
    timer = setTimeout(stop, silentMs);
  });
  source.on("pause", () => clearTimeout(timer));
  source.on("resume", () => {
    clearTimeout(timer);
    timer = setTimeout(stop, silentMs);
  });
  pipeline(source, output, () => clearTimeout(timer));
  return output;
}
