import { ServiceError } from "./errors";

/** What `answer` resolves to, or `unavailable` when that takes longer than `waitMs`; what was begun goes on then. */
export async function answeredWithin<T>(waitMs: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), waitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const tooLate = (): ServiceError =>
  new ServiceError("unavailable", "The database does not answer in time; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "database_slow" },
  });
