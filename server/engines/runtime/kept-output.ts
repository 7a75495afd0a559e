import { PassThrough, pipeline, type Readable } from "node:stream";

/**
 * The output of a child process, for a reader that may come after its end: what nobody has begun to read when a process
 * exits, Node discards.
 */
export function keptOutput(source: Readable | null): Readable {
  const output = new PassThrough();
  output.on("error", () => {});
  if (source) pipeline(source, output, () => {});
  else output.end();
  return output;
}
