import { finished, type Readable } from "node:stream";

/** The stream; `task` runs when it has been read, has failed or is destroyed. It must not reject. */
export function whenRead(stream: Readable, task: () => Promise<void>): Readable {
  finished(stream, () => void task());
  return stream;
}
