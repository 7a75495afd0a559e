import path from "node:path";
import { DEFAULT_PATH } from "./resolve-program";

/** What every process of a workload has, so that it is found although it has left the others. */
export const MARK = "SVC_WORKLOAD";
/** Lists of folders of the image. */
const FOLDER_LISTS = ["PATH", "LD_LIBRARY_PATH"];

/** The variables of an image and an allocation, later ones in place of earlier ones. */
export function variablesOf(env: readonly string[]): Map<string, string> {
  const variables = new Map([["PATH", DEFAULT_PATH]]);
  for (const variable of env) {
    const at = variable.indexOf("=");
    if (at > 0) variables.set(variable.slice(0, at), variable.slice(at + 1));
  }
  return variables;
}

/** The variables as processes of the node get them: programs are looked for below the root, which is their home. */
export function onHost(variables: ReadonlyMap<string, string>, root: string): Map<string, string> {
  const given = new Map([["HOME", root], ...variables]);
  for (const name of FOLDER_LISTS) {
    const folders = given.get(name)?.split(":");
    if (folders) given.set(name, folders.map((one) => (one.startsWith("/") ? path.join(root, one) : one)).join(":"));
  }
  return given;
}

/** The variable, with its value, of the processes of one workload. */
export const markOf = (dir: string): string => `${MARK}=${dir}`;

export const asFields = (variables: ReadonlyMap<string, string>): [string, string][] =>
  [...variables].map(([name, value]) => ["env", `${name}=${value}`]);
