import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/**
 * A folder that `make` fills the first time in a run; it is removed when the run ends and nothing changes it. Files that
 * need it at the same moment may each make one: it appears under its name when it is complete, and the first one stays.
 */
export async function madeOnce(name: string, make: (dir: string) => Promise<void>): Promise<string> {
  const made = path.join(inject("runFolder"), name);
  if (existsSync(made)) return made;
  const staging = mkdtempSync(`${made}.`);
  await make(staging);
  try {
    renameSync(staging, made);
  } catch (failure) {
    if (!existsSync(made)) throw failure;
    rmSync(staging, { recursive: true, force: true });
  }
  return made;
}
