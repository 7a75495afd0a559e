import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The id of a data directory as a node that runs workloads; made at the first call, and kept beside the workloads. */
export function nodeIdOf(dataDir: string): string {
  const dir = path.join(dataDir, "runtime");
  const file = path.join(dir, "node-id");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    // Fails if another process has just made it.
    writeFileSync(file, randomUUID(), { flag: "wx", mode: 0o600, flush: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  }
  return readFileSync(file, "utf8");
}
