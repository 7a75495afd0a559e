import type { Writable } from "node:stream";
import type { Header, Pack } from "tar-stream";

/** What an entry is; its size comes from its content if that is given. */
export type EntryHeader = Partial<Header> & Pick<Header, "name">;

/**
 * Adds an entry to an archive: with `content` as a whole, else what is written to the stream that it returns. Every entry of
 * an archive is added with this: a reader that leaves the archive, or fails, destroys its entries, and an unhandled `error`
 * event of one would end the process. The archive has the same error.
 */
export function addTarEntry(
  archive: Pack,
  header: EntryHeader,
  { content, done }: { content?: string | Buffer; done?: (failure?: Error | null) => void } = {},
): Writable {
  const entry = content === undefined ? archive.entry(header) : archive.entry(header, content, done);
  // The types of streamx lack what it has of Node's streams.
  return (entry as unknown as Writable).on("error", () => undefined);
}
