import type { ErrorBody, ErrorCode } from "./offers-wire";

/** Why a call has no result. `status` is 0 when no answer came. */
export interface Failure {
  status: number;
  /** The API's own code; `timeout`, `network` or `unreadable` where it did not say. */
  code: ErrorCode | "timeout" | "network" | "unreadable";
  message: string;
  /** The API's own sentence, without the facts that `message` adds. */
  reason?: string | undefined;
  param?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  details?: Record<string, unknown> | undefined;
  cause?: unknown;
}

export type ApiAnswer = { body: unknown } | { failure: Failure };

/** What an answer says; `name` is the operation for messages: `POST /api/v1/offers`. Rejects when it breaks off. */
export async function readAnswer(name: string, response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  return response.ok ? successOf(name, response, text) : { failure: refusalOf(name, response, text) };
}

/** `fetch failed` says little; what lies behind it says `ECONNREFUSED`. */
export function wordsOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { message, cause } = failure;
  const behind = cause as { code?: unknown; message?: unknown } | undefined;
  const detail = behind?.code ?? behind?.message;
  return detail ? `${message} (${String(detail)})` : message;
}

function successOf(name: string, response: Response, text: string): ApiAnswer {
  if (text === "") return { body: undefined };
  const body = parse(text);
  if (typeof body === "object" && body !== null) return { body };
  const message = `svc answered ${name} with ${response.status} and something that is no JSON; is baseUrl right?`;
  return { failure: { status: response.status, code: "unreadable", message } };
}

function refusalOf(name: string, response: Response, text: string): Failure {
  const { status, headers } = response;
  const error = (parse(text) as Partial<ErrorBody> | undefined)?.error;
  const requestId = headers.get("x-request-id") ?? error?.request_id;
  const retryAfterSeconds = secondsOf(headers.get("retry-after")) ?? error?.retry_after;
  const facts = { status, requestId, retryAfterSeconds };
  if (typeof error?.code !== "string") {
    const message = `svc answered ${name} with ${status} and no reason; is baseUrl right, is a proxy in between?`;
    return { ...facts, code: "unreadable", message };
  }
  const { code, param, details } = error;
  const where = [`${status} ${code}`, param && `field ${param}`, requestId && `request ${requestId}`];
  const message = `${error.message} (${name}: ${where.filter(Boolean).join(", ")})`;
  return { ...facts, code, message, reason: error.message, param, details };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or the date of an HTTP header (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null || header === "") return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
