import { accessSync, constants, createReadStream, type Stats, statSync } from "node:fs";
import { Readable } from "node:stream";
import type { FeedBody } from "../operation";
import { byteAmount } from "./byte-amount";
import { UsageError } from "./errors";
import type { Io } from "./io";
import type { Arguments } from "./read-arguments";

const TYPES: Record<string, string> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
  xml: "application/xml",
  rss: "application/rss+xml",
  atom: "application/atom+xml",
};
const SHOW_EVERY_MS = 200;

interface Feed {
  input: { content_type: string; content_encoding?: string; body: FeedBody };
  /** Ends the progress line. */
  close(): void;
}

/** A file, or standard input for `-`, as an upload body that reports progress on standard error. */
export function openFeed({ file = "-", flags }: Arguments, io: Io): Feed {
  const stat = file === "-" ? undefined : statFile(file);
  const { type, encoding } = mediaType(file, flags as Record<string, string | undefined>);
  const progress = progressOf(io, stat?.size);
  const open = (): ReadableStream<Uint8Array> => {
    progress.restart();
    const bytes = stat ? (Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>) : io.input();
    return bytes.pipeThrough(progress.counter());
  };
  return {
    input: {
      content_type: type,
      ...(encoding === undefined ? {} : { content_encoding: encoding }),
      // Standard input can be read only once.
      body: stat ? open : open(),
    },
    close: progress.close,
  };
}

function statFile(file: string): Stats {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new UsageError(`${file}: no such file.`);
  accessSync(file, constants.R_OK);
  return stat;
}

function mediaType(
  file: string,
  flags: Record<string, string | undefined>,
): { type: string; encoding: string | undefined } {
  const isPacked = /\.gz$/i.test(file);
  const ending = /\.(\w+)$/.exec(file.replace(/\.gz$/i, ""))?.[1]?.toLowerCase() ?? "";
  const type = flags["content-type"] ?? TYPES[ending];
  if (!type) {
    const known = Object.keys(TYPES).join(", ");
    throw new UsageError(`${file}: set --content-type, or use a known extension: ${known} (and .gz).`);
  }
  return { type, encoding: flags["content-encoding"] ?? (isPacked ? "gzip" : undefined) };
}

function progressOf({ stderr }: Io, size: number | undefined) {
  let bytes = 0;
  let startedAt = performance.now();
  let shownAt = startedAt;
  const show = (end: string): void => {
    const seconds = Math.max(0.001, (performance.now() - startedAt) / 1000);
    const of = size === undefined ? "" : ` of ${byteAmount(size)} (${Math.floor((100 * bytes) / Math.max(1, size))} %)`;
    const line = `${byteAmount(bytes)}${of}, ${byteAmount(bytes / seconds)}/s`;
    stderr.write(`${stderr.isTTY ? "\r\u001b[K" : ""}sent ${line}${end}`);
  };
  return {
    restart(): void {
      bytes = 0;
      startedAt = performance.now();
    },
    counter: () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          controller.enqueue(chunk);
          if (!stderr.isTTY || performance.now() - shownAt < SHOW_EVERY_MS) return;
          shownAt = performance.now();
          show("");
        },
      }),
    close: (): void => show("\n"),
  };
}
