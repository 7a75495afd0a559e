import type { Logger } from "pino";
import { ERROR_STATUS } from "../kernel/errors";
import { asServiceError } from "./error-response";
import type { RequestFacts } from "./request-facts";

/** Failures of ours are logged as errors with their cause; refusals only when debugging. */
export function logFailure(
  log: Logger,
  failure: unknown,
  { request, facts }: { request: Request; facts: RequestFacts },
): void {
  const error = asServiceError(failure);
  const line = {
    request_id: facts.requestId,
    method: request.method,
    path: new URL(request.url).pathname,
    code: error.code,
  };
  if (ERROR_STATUS[error.code] >= 500) log.error({ ...line, err: error.cause ?? error }, error.message);
  else log.debug(line, error.message);
}
