import { ServiceError } from "../../kernel/errors";
import { plainError } from "./plain-error";

/** The reply of Redis; any failure becomes `unavailable`, without the command that failed. */
export async function unavailableOnFailure<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ServiceError("unavailable", "The counters (Redis) did not respond; retry shortly.", {
      retryAfterSeconds: 1,
      details: { reason: "counters_unavailable" },
      cause: plainError(cause),
    });
  }
}
