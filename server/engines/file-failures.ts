import { access, stat } from "node:fs/promises";

/** The code of a failed system call, such as `ENOENT`. */
export const codeOf = (failure: unknown): unknown =>
  failure instanceof Error && "code" in failure ? failure.code : undefined;

/** The result of reading a file; undefined if there is none. */
export const undefinedIfMissing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((failure: unknown) => {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  });

/** Whether a path has a file or folder. */
export const exists = async (file: string): Promise<boolean> => (await undefinedIfMissing(stat(file))) !== undefined;

/** Whether this process can look at a path; false also if it must not. */
export const isAccessible = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
