import { ResponseError } from "../../response-error";
import { cellText } from "../terminal-text";

export type Action = "upload" | "download" | "copy" | "delete";

/** Counts the bytes of one file. */
export interface Meter {
  /** Bytes that were transferred now; negative when they are sent again. */
  add: (bytes: number) => void;
  /** Bytes that an earlier run has transferred. */
  skip: (bytes: number) => void;
  /** From the first byte again. */
  restart: () => void;
}

/** One file or object; `run` resolves with its ETag. */
export interface Transfer {
  action: Action;
  from: string;
  /** Undefined for what is deleted. */
  to?: string;
  size?: number | undefined;
  /** Why it fails, if that is known before. */
  refusal?: string;
  run: (meter: Meter) => Promise<string | undefined>;
}

export interface TransferResult extends Pick<Transfer, "action" | "from" | "to" | "size"> {
  status: "done" | "failed" | "planned" | "interrupted";
  etag?: string | undefined;
  error?: { code: string; message: string; request_id?: string | undefined };
}

export function errorOf(failure: unknown): NonNullable<TransferResult["error"]> {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof ResponseError) return { code: failure.code, message, request_id: failure.requestId };
  const code = (failure as { code?: unknown } | undefined)?.code;
  return { code: typeof code === "string" ? code : "failed", message };
}

/** A failure as one line that names the file. */
export function failureLine({ action, from, to, error }: TransferResult): string {
  const request = error?.request_id === undefined ? "" : `, request ${error.request_id}`;
  const what = action === "delete" ? cellText(from) : `${cellText(from)} -> ${cellText(to)}`;
  return `svc: ${action} of ${what} failed: ${cellText(error?.message)} (${cellText(error?.code)}${request})\n`;
}
