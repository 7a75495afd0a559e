import { ServiceError } from "../../kernel/errors";
import { plainError } from "./plain-error";

/** What Redis answers; any failure is `unavailable`, without the command that failed. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ServiceError("unavailable", "The counters (Redis) did not answer; retry shortly.", {
      retryAfterSeconds: 1,
      details: { reason: "counters_unavailable" },
      cause: plainError(cause),
    });
  }
}
