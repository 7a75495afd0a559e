import { type ErrorCode, ServiceError } from "../../../kernel/errors";
import { readableText } from "../../../kernel/relayed-bytes";
import type { Redactor } from "../../data/secrets/redactor";
import type { Upstream } from "./upstream";

const MESSAGE_CHARS_MAX = 1000;
/** What only the request itself can change: another upstream would refuse it too. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  400: "invalid_request",
  409: "conflict",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "unprocessable",
};
const RETRIED = new Set([408, 425, 429]);

/** Why an upstream gave no answer. `message` is a sentence without keys and addresses. */
export class UpstreamFailure extends Error {
  constructor(
    message: string,
    readonly facts: {
      /** Undefined if there was no response. */
      status?: number | undefined;
      isLate?: boolean;
      /** No connection could be made. */
      isUnreachable?: boolean;
      /** The response is not in the form that was asked for. */
      isMalformed?: boolean;
      /** Whether the body of the response has a text. A function, so that no log has the body. */
      says?: (text: string) => boolean;
      /** What the client is told, unless another upstream answers. */
      shown?: ServiceError;
      retryAfterMs?: number | undefined;
      /** What the upstream says about the request. */
      refusal?: ServiceError | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: facts.cause });
    this.name = "UpstreamFailure";
  }

  /** The same upstream can succeed a moment later. */
  get isPassing(): boolean {
    const { status } = this.facts;
    return status === undefined || status >= 500 || RETRIED.has(status);
  }

  /**
   * What does not work, as far as this says: the upstream with all its models, one model, or the form in which it was
   * asked. Undefined for what is no fault, such as too many requests.
   */
  get fault(): Fault | undefined {
    const { status, isLate, isUnreachable, isMalformed } = this.facts;
    if (isUnreachable) return "upstream";
    if (isMalformed) return "form";
    return isLate || status === undefined || status >= 500 ? "model" : undefined;
  }
}

export type Fault = "upstream" | "model" | "form";

/** The failure for a response that is no answer. */
export const malformed = (message: string): UpstreamFailure =>
  new UpstreamFailure(message, { status: 502, isMalformed: true });

/** The failure for a response other than 2xx; `text` is its body, the upstream's key is replaced wherever it appears. */
export function failureOf(status: number, { text, retryAfter, redactor }: Response): UpstreamFailure {
  const { message, param, code } = readError(text, redactor);
  const refused = REFUSALS[status];
  const refusal =
    refused &&
    new ServiceError(refused, message || `The upstream responded with status ${status}.`, {
      ...(param !== undefined && { param }),
      details: { reason: code ?? "upstream_refused" },
    });
  return new UpstreamFailure(`status ${status}${message ? `: ${message}` : ""}`, {
    status,
    refusal,
    says: (part) => text.includes(part),
    retryAfterMs: retryAfterMsOf(retryAfter),
  });
}

interface Response {
  text: string;
  retryAfter: string | undefined;
  redactor: Redactor | undefined;
}

/** The error in an upstream's body, in OpenAI's form or a similar one. */
function readError(text: string, redactor: Redactor | undefined): { message: string; param?: string; code?: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { message: redacted(text, redactor) };
  }
  const { error = parsed, detail } = (parsed ?? {}) as { error?: unknown; detail?: unknown };
  if (typeof error === "string") return { message: redacted(error, redactor) };
  const { message = detailOf(detail), param, code } = (error ?? {}) as Record<string, unknown>;
  return {
    message: typeof message === "string" ? redacted(message, redactor) : "",
    ...(typeof param === "string" && { param: redacted(param, redactor).slice(0, 200) }),
    ...(typeof code === "string" && { code: redacted(code, redactor).slice(0, 100) }),
  };
}

/** FastAPI, on which many inference servers are built, sends `detail`: a text, or a list with a place and a sentence each. */
function detailOf(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail;
  return detail
    .map((one: { loc?: unknown; msg?: unknown } | null) => {
      const place = Array.isArray(one?.loc) ? `${one.loc.filter((part) => part !== "body").join(".")}: ` : "";
      return typeof one?.msg === "string" ? `${place}${one.msg}` : "";
    })
    .filter((text) => text !== "")
    .join("; ");
}

/** A text of an upstream without its key and whatever else looks like one, on one line, at most 1000 characters. */
export function redacted(text: string, redactor: Redactor | undefined): string {
  return readableText(redactor?.redact(text) ?? text)
    .slice(0, MESSAGE_CHARS_MAX * 4)
    .replace(/\b(?:sk|key|pk|rk)-[\w*.-]{6,}/gi, "[redacted]")
    .replace(/\bBearer\s+[\w.~+/*=-]{6,}/gi, "Bearer [redacted]")
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MESSAGE_CHARS_MAX);
}

/** Retry-After in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterMsOf(header: string | undefined, nowMs = Date.now()): number | undefined {
  if (header === undefined || header === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** The error for a client when no upstream gave an answer; `failure` is the last one, of `upstream`. */
export function clientErrorOf(failure: UpstreamFailure, { id }: Pick<Upstream, "id">): ServiceError {
  const { status, isLate, refusal, shown, retryAfterMs, cause } = failure.facts;
  if (refusal ?? shown) return (refusal ?? shown) as ServiceError;
  if (status === 429) {
    const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000));
    const text = `The upstream "${id}" accepts no more requests for now; retry in ${retryAfterSeconds} s.`;
    return new ServiceError("rate_limited", text, { retryAfterSeconds, details: { reason: "upstream_rate_limited" } });
  }
  const [reason, problem] = problemOf(status, isLate);
  return new ServiceError("unavailable", `The upstream "${id}" ${problem}`, {
    retryAfterSeconds: 1,
    details: { reason, upstream: id },
    cause: cause ?? failure,
  });
}

function problemOf(status: number | undefined, isLate = false): [reason: string, problem: string] {
  if (isLate) return ["upstream_timeout", "did not respond in time; retry, or request a shorter answer."];
  if (status === 401 || status === 403) {
    return ["upstream_unauthorized", "refused its key; check the key where the upstream is configured."];
  }
  if (status === 404) return ["upstream_model_not_found", "does not know the model; check its name there."];
  return ["upstream_failed", status === undefined ? "cannot be reached; retry shortly." : "failed; retry shortly."];
}
