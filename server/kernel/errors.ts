/** Every error code of svc, and its HTTP status. `details.reason` may contain a more specific cause. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorExtras {
  /** The offending field, as a path: `signals[0].confidence`. */
  param?: string;
  /** Whole seconds after which a retry can succeed. */
  retryAfterSeconds?: number;
  details?: Record<string, unknown>;
  /** A `Set-Cookie` value to send with the error. */
  cookie?: string;
  /** Logged, never sent. */
  cause?: unknown;
}

/** The only error that server code throws on purpose; surfaces translate it, clients receive `message`. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly cookie: string | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = "ServiceError";
    this.code = code;
    this.param = extras.param;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.details = extras.details;
    this.cookie = extras.cookie;
  }
}

export const notFound = (what: string, id: string): ServiceError =>
  new ServiceError("not_found", `No ${what} has the id "${id.slice(0, 80)}".`);
