import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The folder that contains package.json. The bundled server runs from a build folder below it, tests from the sources. */
export function findRoot(from: string): string {
  for (let dir = from; ; dir = path.dirname(dir)) {
    const file = path.join(dir, "package.json");
    if (existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { name?: string }).name === "svc") return dir;
    if (dir === path.dirname(dir))
      throw new Error("The package.json of svc was not found in a parent folder of the server's files.");
  }
}
