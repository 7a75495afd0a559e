import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline as joined, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { FileEntry } from "./manifest";

const NEWLINE = 10;
/** The fastest level: a third of the usual time, for nine tenths of the usual reduction in size. */
const GZIP = { level: 1 };

/**
 * Writes a table in the text format of both engines: one row per line, values separated by tabs, newlines in values
 * escaped.
 */
export async function writeTable(
  rows: Readable,
  { folder, file }: { folder: string; file: string },
): Promise<FileEntry & { rows: number }> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const counted = countLines();
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    rows,
    counted.pass,
    createGzip(GZIP),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(target, { mode: 0o600, flags: "wx", flush: true }),
  );
  return { file, bytes, sha256: hash.digest("hex"), rows: counted.lines() };
}

/** The data that `writeTable` stored; `rows()` is correct after it was read to its end. */
export function readTable(file: string): { content: Readable; rows: () => number } {
  const counted = countLines();
  const gunzip = createGunzip();
  // An error reaches the reader, because it destroys the stream.
  joined(createReadStream(file), gunzip, () => undefined);
  return { content: Readable.from(counted.pass(gunzip), { objectMode: false }), rows: counted.lines };
}

function countLines() {
  let lines = 0;
  return {
    lines: () => lines,
    pass: async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
        yield chunk;
      }
    },
  };
}
