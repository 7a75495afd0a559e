import { PassThrough, pipeline, type Readable } from "node:stream";

/**
 * A stream with the contents of one that is still being opened; it fails if the opening fails. It may fail before anybody
 * reads it: who reads it then gets the cause.
 */
export function deferredStream(opening: Promise<Readable>): Readable {
  const output = new PassThrough();
  output.on("error", () => undefined);
  opening.then(
    (source) => pipeline(source, output, () => {}),
    (cause: unknown) => output.destroy(cause instanceof Error ? cause : new Error(String(cause))),
  );
  return output;
}
