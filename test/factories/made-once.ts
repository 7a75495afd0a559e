import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/**
 * A folder that `make` fills the first time in a run; it is removed when the run ends and nothing changes it. Files that
 * need it at the same moment may each make one: it appears under its name when it is complete, and the first one stays.
 * The setup of a run, which has nothing injected, names the run's folder itself.
 */
export async function madeOnce(name: string, make: (dir: string) => Promise<void>, folder?: string): Promise<string> {
  const made = path.join(folder ?? (await runFolder()), name);
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

/** Imported when it is needed: vitest cannot be imported in the setup of a run. */
async function runFolder(): Promise<string> {
  const { inject } = await import("vitest");
  return inject("runFolder");
}
