import type { WorkerCode } from "../../../engines/workerd/worker-call";
import { COMPATIBILITY_DATE, LOG_CHARACTERS_MAX, readWorkerModule } from "../../compute/workers/worker-modules";
import type { EdgeProgram } from "./edge-runner";
import { FRAME_KINDS } from "./frames";

const FRAME_CONTENT_BYTES = 64 * 1024;

/** Makes a program of a tenant a worker. A smoke run sends no requests. */
export type EdgeCodeOf = (program: Omit<EdgeProgram, "env">, options: { isSmokeRun: boolean }) => WorkerCode;

/** Reads the modules that surround a tenant's. `rootDir` contains package.json. */
export async function readEdgeCode(rootDir: string): Promise<EdgeCodeOf> {
  const [main, bindings, bodies, logs] = await Promise.all([
    readWorkerModule(rootDir, "edge/workers/serve-in-worker.mjs"),
    readWorkerModule(rootDir, "edge/workers/bindings-in-worker.mjs"),
    readWorkerModule(rootDir, "edge/workers/response-bodies.mjs"),
    readWorkerModule(rootDir, "compute/workers/collect-logs.mjs"),
  ]);
  const own = { "svc.js": main, "bindings.js": bindings, "response-bodies.js": bodies, "collect-logs.js": logs };
  return (program, { isSmokeRun }) => ({
    mainModule: "svc.js",
    modules: { ...own, "settings.js": settingsOf(program, isSmokeRun), "main.js": program.code },
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: ["nodejs_als"],
    outbound: !isSmokeRun,
    asksSvc: true,
  });
}

/** The method of a request that is sent with another one; clients cannot send headers of svc. */
export const METHOD_HEADER = "x-svc-method";
/** The variables of the code, as JSON in base64. */
export const ENV_HEADER = "x-svc-env";

const settingsOf = ({ bindings }: Pick<EdgeProgram, "bindings">, isSmokeRun: boolean): string => `
export const bindings = ${JSON.stringify(bindings.map(({ type, name }) => ({ type, name })))};
export const isSmokeRun = ${isSmokeRun};
export const headers = ${JSON.stringify({ method: METHOD_HEADER, env: ENV_HEADER })};
export const kinds = ${JSON.stringify(FRAME_KINDS)};
export const limits = ${JSON.stringify({ logCharactersMax: LOG_CHARACTERS_MAX, frameBytesMax: FRAME_CONTENT_BYTES })};
`;
