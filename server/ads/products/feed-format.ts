import { ServiceError } from "../../kernel/errors";
import { BrokenFeed } from "./feed-line";

export type FeedFormat = "ndjson" | "csv" | "tsv" | "xml";

const FORMAT_BY_TYPE: Readonly<Record<string, FeedFormat | "look">> = {
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/xml": "xml",
  "text/xml": "xml",
  "application/rss+xml": "xml",
  "application/atom+xml": "xml",
  // These media types do not identify the format, so the first characters decide.
  "text/plain": "look",
  "application/gzip": "look",
  "application/x-gzip": "look",
  "application/octet-stream": "look",
};

/** The Content-Type values that an upload may have. */
export const FEED_MEDIA_TYPES: readonly string[] = Object.keys(FORMAT_BY_TYPE);

/**
 * The format that a Content-Type identifies, or undefined. Throws `unsupported_media_type` if it is not a feed type.
 */
export function formatOf(contentType: string | undefined): FeedFormat | undefined {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() || "application/octet-stream";
  const format = Object.hasOwn(FORMAT_BY_TYPE, type) ? FORMAT_BY_TYPE[type] : undefined;
  if (format === undefined) {
    throw new ServiceError(
      "unsupported_media_type",
      `Content-Type "${type.slice(0, 80)}" is not a product feed type; use one of ${FEED_MEDIA_TYPES.join(", ")}.`,
      { param: "content_type" },
    );
  }
  return format === "look" ? undefined : format;
}

/** Like `formatOf` for a file on a web server, which may send it as any type: undefined for one that is not a feed type. */
export function knownFormatOf(contentType: string | undefined): FeedFormat | undefined {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(FORMAT_BY_TYPE, type) ? formatOf(type) : undefined;
}

/** Detects the format from the first characters of a feed. Throws BrokenFeed for a JSON array. */
export function guessFormat(head: string): FeedFormat {
  const start = head.trimStart();
  if (start.startsWith("{")) return "ndjson";
  if (start.startsWith("<")) return "xml";
  if (/^\[\s*[{\]]/.test(start)) throw jsonArray();
  const [header = ""] = start.split("\n", 1);
  return header.includes("\t") ? "tsv" : "csv";
}

const jsonArray = (): BrokenFeed =>
  new BrokenFeed("not_a_feed", "The feed is a JSON array; send NDJSON, which has one JSON object per line.", 1);
