export interface LaneFile {
  project: string;
  /** From the root of the repository. */
  file: string;
}

/** Divides files among two lanes that end at about the same time; `seconds` are recorded durations by file. */
export function planLanes(
  files: readonly LaneFile[],
  options: { rootDir: string; seconds: Readonly<Record<string, number>> },
): [LaneFile[], LaneFile[]];
