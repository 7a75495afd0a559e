export interface FileResult {
  passed: number;
  failed: number;
  skipped: number;
  failures: { test: string; error: string }[];
  seconds: number;
}

/** What the files of a run came to; a key is `<project> <file>`. */
export class Results {
  /** The second result of a file replaces the first. */
  add(key: string, result: FileResult): void;
  /** A file whose worker ended before the file did. */
  lost(key: string): void;
  /** Errors that belong to no file. */
  unhandled(errors: readonly string[]): void;
  /** A failure of the run itself. */
  fail(reason: string): void;
  withoutResult(keys: readonly string[]): string[];
  toLookAtAgain(): string[];
  lookAgain(key: string): void;
  /** Whole seconds by file, for those that passed. */
  seconds(): Record<string, number>;
  /** The last lines of a run, and whether it passed. */
  verdict(options: { needsFiles: boolean }): { lines: string[]; isPassed: boolean };
}
