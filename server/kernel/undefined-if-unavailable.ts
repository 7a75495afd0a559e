import { ServiceError } from "./errors";

/** The result of `answer`; undefined if its engine is unavailable. Any other failure is thrown. */
export async function undefinedIfUnavailable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof ServiceError && failure.code === "unavailable") return undefined;
    throw failure;
  }
}
