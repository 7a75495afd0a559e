import type { WorkerCode } from "../../../engines/workerd/worker-call";
import { COMPATIBILITY_DATE, LOG_CHARACTERS_MAX, readWorkerModule } from "../workers/worker-modules";
import type { ModuleCode } from "./function-runner";

/** Makes the module of a tenant a worker. */
export type WorkerCodeOf = (module: ModuleCode) => WorkerCode;

/** Reads the modules that surround a tenant's. `rootDir` contains package.json. */
export async function readWorkerCode(rootDir: string): Promise<WorkerCodeOf> {
  const [main, logs] = await Promise.all([
    readWorkerModule(rootDir, "compute/functions/run-in-worker.mjs"),
    readWorkerModule(rootDir, "compute/workers/collect-logs.mjs"),
  ]);
  return ({ code, entry }) => ({
    mainModule: "svc.js",
    modules: { "svc.js": main, "collect-logs.js": logs, "settings.js": settingsOf(entry), "main.js": code },
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ["nodejs_als"],
    outbound: true,
  });
}

const settingsOf = (entry: string): string => `
export const entry = ${JSON.stringify(entry)};
export const limits = ${JSON.stringify({ logCharactersMax: LOG_CHARACTERS_MAX })};
`;
