export interface TestRun {
  /** For the temporary files of everything that the run starts. */
  dir: string;
  /** The name of all folders of the run. */
  mark: string;
  /** Within the repository, so that programs in it find their packages. */
  builds: string;
  /** Removes what is left; resolves to one sentence per thing that tests have left behind. */
  end(): Promise<string[]>;
}

/** Begins a run of tests; first removes what is left of runs whose process no longer exists. */
export function beginRun(options: { rootDir: string; print: (line: string) => void }): Promise<TestRun>;
