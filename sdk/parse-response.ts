import { parseJson as parseExact } from "./exact-json";
import type { ErrorBody, ErrorCode } from "./offers-wire";

/** A failed call. `status` is 0 without a response. */
export interface Failure {
  status: number;
  /** The API's error code, or `timeout`, `network` or `unreadable`. */
  code: ErrorCode | "timeout" | "network" | "unreadable";
  message: string;
  /** The API's message, without the details that `message` adds. */
  reason?: string | undefined;
  param?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  details?: Record<string, unknown> | undefined;
  cause?: unknown;
}

export type ApiResult = { body: unknown } | { failure: Failure };

/** Reads the JSON of a response; throws for what is none. */
export type ParseJson = (text: string) => unknown;

/** The result of a response; `name` is the operation in messages: `POST /api/v1/offers`. Rejects when the body is incomplete. */
export async function parseResponse(
  name: string,
  response: Response,
  parseJson: ParseJson = parseExact,
): Promise<ApiResult> {
  const text = await response.text();
  const body = parse(text, parseJson);
  return response.ok ? successOf(name, response, { text, body }) : { failure: errorOf(name, response, body) };
}

/** Adds the cause, such as `ECONNREFUSED`, to a message such as `fetch failed`. */
export function errorText(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { message, cause } = failure;
  const behind = cause as { code?: unknown; message?: unknown } | undefined;
  const detail = behind?.code ?? behind?.message;
  return detail ? `${message} (${String(detail)})` : message;
}

function successOf(name: string, response: Response, { text, body }: { text: string; body: unknown }): ApiResult {
  if (text === "") return { body: undefined };
  if (typeof body === "object" && body !== null) return { body };
  const message = `The response to ${name} (${response.status}) is not JSON; is baseUrl right?`;
  return { failure: { status: response.status, code: "unreadable", message } };
}

function errorOf(name: string, response: Response, body: unknown): Failure {
  const { status, headers } = response;
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  const requestId = headers.get("x-request-id") ?? error?.request_id;
  const retryAfterSeconds = parseRetryAfter(headers.get("retry-after")) ?? error?.retry_after;
  const facts = { status, requestId, retryAfterSeconds };
  if (typeof error?.code !== "string") {
    const message = `The response to ${name} is ${status} without an error body; is baseUrl right, or is a proxy in between?`;
    return { ...facts, code: "unreadable", message };
  }
  const { code, param, details } = error;
  const where = [`${status} ${code}`, param && `field ${param}`, requestId && `request ${requestId}`];
  const message = `${error.message} (${name}: ${where.filter(Boolean).join(", ")})`;
  return { ...facts, code, message, reason: error.message, param, details };
}

function parse(text: string, parseJson: ParseJson): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or the date of an HTTP header (RFC 9110, section 10.2.3). */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null || header === "") return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
