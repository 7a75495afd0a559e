import type { Outputs } from "../../../../trpc/client";
import { FieldError } from "../../../../trpc/failure";

export type FeedResult = Outputs["importProducts"];

interface FeedUpload {
  campaignId: string;
  file: File;
  mode: "merge" | "replace";
  signal: AbortSignal;
  /** How much of the file was sent, 0 to 1. */
  onProgress: (share: number) => void;
}

/** What the server reads of one feed. */
const FILE_BYTES_MAX = 1024 ** 3;
/** Browsers do not distinguish the two causes. */
const CONNECTION_FAILED =
  "The upload failed: the connection was lost, or the file changed after you selected it. Select it again and retry.";
const ENDPOINT = "/api/trpc/importProducts";

/** A feed that was not read to its end; `result` says what became of the lines before. */
export class UnfinishedFeed extends FieldError {
  constructor(
    message: string,
    readonly result: FeedResult | undefined,
  ) {
    super("feed", message);
  }
}

/** The file that a form holds. Throws a FieldError of `feed` for none, an empty one and one that is too large. */
export function fileIn(fields: FormData): File {
  const file = fields.get("feed");
  if (!(file instanceof File) || file.name === "") throw new FieldError("feed", "Choose a file.");
  if (file.size === 0) throw new FieldError("feed", "This file is empty.");
  if (file.size > FILE_BYTES_MAX) throw new FieldError("feed", "This file is larger than 1 GiB: split it.");
  return file;
}

/**
 * Uploads a file unchanged, with XMLHttpRequest, because `fetch` reports no upload progress. Rejects with an UnfinishedFeed
 * that has the server's message, or with an AbortError when the signal aborts.
 */
export function uploadFeed({ campaignId, file, mode, signal, onProgress }: FeedUpload): Promise<FeedResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", ENDPOINT);
    request.responseType = "text";
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-svc-campaign", campaignId);
    request.setRequestHeader("x-svc-feed-mode", mode);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const response = parseUploadResponse(request.responseText);
      if (response.result && response.message === "") resolve(response.result);
      else reject(new UnfinishedFeed(response.message, response.result));
    };
    request.onerror = () => reject(new UnfinishedFeed(CONNECTION_FAILED, undefined));
    request.onabort = () => reject(new DOMException("The upload was stopped.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

interface BreakDetails extends FeedResult {
  reason: string;
  line?: number;
}

interface TrpcResponse {
  result?: { data?: FeedResult };
  error?: { message?: string; data?: { failure?: { details?: Partial<BreakDetails> } } };
}

type UploadResponse = { result: FeedResult; message: "" } | { result: FeedResult | undefined; message: string };

const UNEXPECTED_RESPONSE: UploadResponse = {
  result: undefined,
  message: "Unexpected response from the server. Upload the file again.",
};

/** Parses a tRPC response: the result, or an error message with the result of the lines before it. */
export function parseUploadResponse(text: string): UploadResponse {
  try {
    const { result, error } = JSON.parse(text) as TrpcResponse;
    if (result?.data) return { result: result.data, message: "" };
    const { message, data } = error ?? {};
    if (!message) return UNEXPECTED_RESPONSE;
    const { line, ...details } = data?.failure?.details ?? {};
    return {
      result: resultOf(details, line === undefined ? [] : [{ line, code: details.reason ?? "", message }]),
      message: line === undefined ? message : `Line ${line}: ${message}`,
    };
  } catch {
    return UNEXPECTED_RESPONSE;
  }
}

/** The line at which the feed broke comes after those that were rejected before it. */
function resultOf(details: Partial<FeedResult>, broken: FeedResult["errors"]): FeedResult | undefined {
  const { accepted, rejected, errors } = details;
  if (accepted === undefined || rejected === undefined || !errors) return undefined;
  return { ...details, accepted, rejected, errors: details.errors_truncated ? errors : [...errors, ...broken] };
}

/** The rejected lines as rows of a table, under their headings. */
export const rejectedRows = (errors: FeedResult["errors"]): (string | number)[][] => [
  ["line", "id", "field", "error"],
  ...errors.map(({ line, id = "", message }) => {
    const { field = "", problem } = parseFeedError(message);
    return [line, id, field, problem];
  }),
];

/** Splits "link: expected a value" into the field and a sentence; an error of a whole line has no field. */
export function parseFeedError(message: string): { field: string | undefined; problem: string } {
  const [, field, rest = message] = /^([a-z_]+): (.*)$/s.exec(message) ?? [];
  return { field, problem: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}${/[.!?]$/.test(rest) ? "" : "."}` };
}
