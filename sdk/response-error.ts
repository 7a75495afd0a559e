/** What a response with another error body than svc's own says. */
export interface ResponseFailure {
  /** 0 without a response. */
  status: number;
  /** The code of the protocol, such as `NoSuchKey`, or `network` without a response. */
  code: string;
  message: string;
  requestId?: string | undefined;
  param?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A failed call of an endpoint that has the error body of another protocol: S3, or OpenAI's. */
export class ResponseError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly param: string | undefined;
  /** Seconds after which a retry can succeed. */
  readonly retry_after: number | undefined;

  constructor({ status, code, message, requestId, param, retryAfterSeconds, cause }: ResponseFailure) {
    super(message, { cause });
    this.name = "ResponseError";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.param = param;
    this.retry_after = retryAfterSeconds;
  }
}
