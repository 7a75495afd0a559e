import { ServiceError } from "./errors";

/** What `answer` resolves to; undefined when its engine is away, any other failure goes on. */
export async function unlessAway<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof ServiceError && failure.code === "unavailable") return undefined;
    throw failure;
  }
}
