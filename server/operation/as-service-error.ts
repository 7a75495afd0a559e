import { unavailableOnConnectionError } from "../engines/postgres/connection-error";
import { ServiceError } from "../kernel/errors";

/** Returns a ServiceError as it is, `unavailable` if an engine was unreachable, otherwise `internal`. */
export function asServiceError(failure: unknown): ServiceError {
  const known = unavailableOnConnectionError(failure);
  if (known instanceof ServiceError) return known;
  const text = "Something went wrong on our side. Quote the request id when you report it.";
  return new ServiceError("internal", text, { cause: failure });
}
