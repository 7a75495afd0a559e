import { PassThrough, pipeline, type Readable } from "node:stream";

/** A stream with the contents of one that is still being opened; it fails if the opening fails. */
export function deferredStream(opening: Promise<Readable>): Readable {
  const output = new PassThrough();
  opening.then(
    (source) => pipeline(source, output, () => {}),
    (cause: unknown) => output.destroy(cause instanceof Error ? cause : new Error(String(cause))),
  );
  return output;
}
