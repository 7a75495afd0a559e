/** What folders export in addition to their operations and their noun. */
export interface PublicFiles {
  verbs: string[];
  shown: string[];
  exceptions: string[];
}

export function findBreaches(
  baseDir: string,
  publicFiles?: PublicFiles,
): Promise<{ breaches: string[]; modules: number }>;
