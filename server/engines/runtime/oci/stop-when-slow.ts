import { PassThrough, pipeline, type Readable } from "node:stream";

/** The least that a download must deliver in each window of time. */
export interface MinimumThroughput {
  windowMs: number;
  windowBytesMin: number;
}

/** The bytes of `source`; fails when a window brings too few of them, or when `source` is cut off. */
export function stopWhenSlow(
  source: Readable,
  { pace, failure }: { pace: MinimumThroughput; failure: () => Error },
): Readable {
  const output = new PassThrough();
  const { windowMs, windowBytesMin } = pace;
  let bytes = 0;
  // Time during which the consumer does not read says nothing about the source.
  let leftMs = windowMs;
  let resumedAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (bytes < windowBytesMin) return void source.destroy(failure());
    bytes = 0;
    leftMs = windowMs;
    watch();
  };
  const watch = () => {
    clearTimeout(timer);
    resumedAt = performance.now();
    timer = setTimeout(look, leftMs);
  };
  source.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  source.on("pause", () => {
    clearTimeout(timer);
    leftMs = Math.max(0, leftMs - (performance.now() - resumedAt));
  });
  source.on("resume", watch);
  watch();
  pipeline(source, output, () => clearTimeout(timer));
  return output;
}
