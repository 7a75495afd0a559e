import { ServiceError } from "./errors";

/**
 * The result of `work`; rejects with `lateError()`, by default `unavailable`, if it takes longer than `waitMs`. The
 * work itself continues.
 */
export async function withTimeout<T>(waitMs: number, work: Promise<T>, lateError = databaseSlow): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), waitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const databaseSlow = (): Error =>
  new ServiceError("unavailable", "The database did not respond in time; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "database_slow" },
  });
