import { readFile } from "node:fs/promises";
import path from "node:path";

/** Which behaviour of the platform's APIs code gets; a later date would change that of code that exists. */
export const COMPATIBILITY_DATE = "2024-09-01";

/** Of what one call prints. */
export const LOG_CHARACTERS_MAX = 64 * 1024;

/** Reads a module that surrounds those of tenants, by its path below server/cloud. `rootDir` contains package.json. */
export const readWorkerModule = (rootDir: string, name: string): Promise<string> =>
  readFile(path.join(rootDir, "server/cloud", name), "utf8");
