/** Runs tests in two lanes, and each file that failed once more; resolves to the exit code. */
export function runTests(options: {
  rootDir: string;
  args: string[];
  print: (line: string) => void;
  withEngines?: boolean;
}): Promise<number>;
