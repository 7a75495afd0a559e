import { open, readdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pause } from "../../../kernel/pause";
import { undefinedIfMissing } from "../../file-failures";
import type { LogOptions } from "../runtime";

export interface ReadLogs extends LogOptions {
  /** The folder of the segments, which are named by the offset of their first byte. */
  dir: string;
  hasEnded: () => Promise<boolean>;
}

const POLL_MS = 100;
const READ_BYTES = 64 * 1024;

/** The output of a workload. A reader that is slower than the workload skips what has been deleted meanwhile. */
export function readLogs(options: ReadLogs): Readable {
  const stopped = new AbortController();
  const stream = Readable.from(output(options, stopped.signal), { objectMode: false, highWaterMark: READ_BYTES });
  return stream.once("close", () => stopped.abort());
}

async function* output(options: ReadLogs, stopped: AbortSignal): AsyncGenerator<Buffer> {
  const { dir, follow = false, tailBytes, hasEnded } = options;
  const size = await sizeOf(dir);
  let position = tailBytes === undefined ? 0 : Math.max(0, size - tailBytes);
  // A workload may write faster than it is read.
  const end = follow ? Number.POSITIVE_INFINITY : size;
  while (!stopped.aborted) {
    // Asked before reading, so that nothing is missed.
    const isLast = !follow || (await hasEnded());
    for (let chunk = await read(dir, position); chunk && position < end; chunk = await read(dir, position)) {
      const bytes = chunk.bytes.subarray(0, Math.max(0, chunk.bytes.length - (chunk.end - end)));
      position = chunk.end;
      if (bytes.length > 0) yield bytes;
    }
    if (isLast) return;
    await pause(POLL_MS, stopped);
  }
}

/** Some bytes at or after a position; undefined if there are none. */
async function read(dir: string, position: number): Promise<{ bytes: Buffer; end: number } | undefined> {
  for (const { name, offset } of await segmentsAfter(dir, position)) {
    const start = Math.max(position, offset);
    const bytes = await readSegment(path.join(dir, name), start - offset);
    if (bytes.length > 0) return { bytes, end: start + bytes.length };
  }
  return undefined;
}

/** The segment that contains a position, and those after it. */
async function segmentsAfter(dir: string, position: number): Promise<{ name: string; offset: number }[]> {
  const segments = await segmentsOf(dir);
  const containing = segments.findLastIndex(({ offset }) => offset <= position);
  return segments.slice(Math.max(0, containing));
}

async function segmentsOf(dir: string): Promise<{ name: string; offset: number }[]> {
  const names = await undefinedIfMissing(readdir(dir));
  return (names ?? []).sort().map((name) => ({ name, offset: Number(name) }));
}

/** How many bytes have been written, deleted ones included. */
async function sizeOf(dir: string): Promise<number> {
  const last = (await segmentsOf(dir)).at(-1);
  if (!last) return 0;
  const file = await undefinedIfMissing(open(path.join(dir, last.name)));
  if (!file) return last.offset;
  try {
    return last.offset + (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function readSegment(file: string, start: number): Promise<Buffer> {
  const handle = await undefinedIfMissing(open(file));
  if (!handle) return Buffer.alloc(0);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
