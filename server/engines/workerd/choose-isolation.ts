import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { PROGRAM_ENVIRONMENT } from "../programs/program-fields";
import { type Isolation, type LaunchWorkerd, launchWorkerd } from "./launch-workerd";

/** Where programs find libraries in other folders than the usual ones. */
const LIBRARY_CACHE = "/etc/ld.so.cache";
const TRACE_MS = 10_000;

/** The strongest isolation with which a process starts here, and a sentence on why it is not the best one. */
export async function chooseIsolation(
  launch: Omit<LaunchWorkerd, "isolation">,
  isRoot = process.getuid?.() === 0,
): Promise<{ isolation: Isolation; missing?: string }> {
  const files = await librariesOf(launch.program).catch(() => []);
  const reasons: string[] = isRoot ? [] : ["only root can give a process a file system of its own"];
  for (const apart of isRoot ? (["full", "filter"] as const) : (["filter"] as const)) {
    try {
      await (await launchWorkerd({ ...launch, isolation: { apart, files } })).close();
      return { isolation: { apart, files }, ...(reasons.length > 0 && { missing: reasons.join("; ") }) };
    } catch (cause) {
      reasons.push(`${apart}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  return { isolation: { apart: "none", files }, missing: reasons.join("; ") };
}

/** The shared libraries of a program and its loader, as the loader names them. */
async function librariesOf(program: string): Promise<string[]> {
  const env = { ...PROGRAM_ENVIRONMENT, LD_TRACE_LOADED_OBJECTS: "1" } as unknown as NodeJS.ProcessEnv;
  const { stdout } = await promisify(execFile)(program, [], { env, timeout: TRACE_MS });
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, file = ""]) => file);
  return existsSync(LIBRARY_CACHE) ? [...libraries, LIBRARY_CACHE] : libraries;
}
