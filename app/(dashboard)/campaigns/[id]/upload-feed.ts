import type { Outputs } from "../../../trpc/client";
import { FieldError } from "../../../trpc/failure";

export type FeedResult = Outputs["campaigns"]["importProducts"];

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
/** Browsers do not tell the two apart. */
const UNSENT =
  "The file could not be sent: the connection broke, or the file was changed after it was chosen. Choose it again and send it.";
const ENDPOINT = "/api/trpc/campaigns.importProducts";

/** The file that a form holds. Throws a FieldError of `feed` for none, an empty one and one that is too large. */
export function fileIn(fields: FormData): File {
  const file = fields.get("feed");
  if (!(file instanceof File) || file.name === "") throw new FieldError("feed", "Choose a file.");
  if (file.size === 0) throw new FieldError("feed", "This file is empty.");
  if (file.size > FILE_BYTES_MAX) throw new FieldError("feed", "This file is larger than 1 GiB: split it.");
  return file;
}

/**
 * Sends a file as it is; XMLHttpRequest, because `fetch` cannot tell how far an upload is. Rejects with a FieldError of
 * `feed` whose sentence the server wrote, and with an AbortError when the signal said so.
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
      const answer = readAnswer(request.responseText);
      if (answer.result) resolve(answer.result);
      else reject(new FieldError("feed", answer.message));
    };
    request.onerror = () => reject(new FieldError("feed", UNSENT));
    request.onabort = () => reject(new DOMException("The upload was stopped.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

interface Answer {
  result?: { data?: { json?: FeedResult } };
  error?: { json?: { message?: string; data?: { failure?: { details?: { line?: unknown } } } } };
}

const UNREADABLE = "The server did not answer as expected. Send the file again.";

/** What a tRPC answer says: the result, or a sentence on why there is none, with the line where that is known. */
export function readAnswer(
  text: string,
): { result: FeedResult; message: "" } | { result?: undefined; message: string } {
  try {
    const { result, error } = JSON.parse(text) as Answer;
    if (result?.data?.json) return { result: result.data.json, message: "" };
    const { message, data } = error?.json ?? {};
    if (!message) return { message: UNREADABLE };
    const line = data?.failure?.details?.line;
    return { message: typeof line === "number" ? `Line ${line}: ${message}` : message };
  } catch {
    return { message: UNREADABLE };
  }
}

/** "link: expected a value" as the field and a sentence; a problem of a whole line has no field. */
export function problemOf(message: string): { field: string | undefined; problem: string } {
  const [, field, rest = message] = /^([a-z_]+): (.*)$/s.exec(message) ?? [];
  return { field, problem: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}${/[.!?]$/.test(rest) ? "" : "."}` };
}
