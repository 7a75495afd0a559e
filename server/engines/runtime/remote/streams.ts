import { PassThrough, type Readable } from "node:stream";
import { type RuntimeLink, unreachable } from "./runtime-link";
import { encodeHead } from "./wire";

/** What is sent with files to restore: a head, then the files. */
export async function* bodyOf(head: object, restore: Readable | undefined): AsyncGenerator<Buffer> {
  yield encodeHead(head);
  if (restore) yield* restore;
}

/** The body of a response; a failure of the connection is one of the stream. */
export function streamOf(link: RuntimeLink, path: string): Readable {
  const output = new PassThrough();
  link.open("GET", path).then(
    (response) => {
      response.once("error", (cause) => output.destroy(unreachable(cause)));
      output.once("close", () => response.destroy());
      if (output.destroyed) response.destroy();
      else response.pipe(output);
    },
    (cause: Error) => output.destroy(cause),
  );
  return output;
}
