import type { Logger } from "pino";
import { ERROR_STATUS } from "../kernel/errors";
import { asServiceError } from "./as-service-error";
import type { RequestMeta } from "./request-meta";
import { TooEarly } from "./speculation";

/** Logs server errors with their cause at level error, client errors and what browsers load too early at level debug. */
export function logFailure(
  log: Logger,
  failure: unknown,
  { request, meta }: { request: Request; meta: RequestMeta },
): void {
  const error = asServiceError(failure);
  const line = {
    request_id: meta.requestId,
    method: request.method,
    path: new URL(request.url).pathname,
    code: error.code,
  };
  if (ERROR_STATUS[error.code] >= 500 && !(error instanceof TooEarly))
    log.error({ ...line, err: error.cause ?? error }, error.message);
  else log.debug(line, error.message);
}
