import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

/** Where the embedded engine of a directory says on which port it listens. */
export const noteFile = (dir: string): string => path.join(dir, "svc-port");

/** The URL of the embedded engine that another process runs on a directory; undefined when none does. */
export async function findClickHouse(dir: string): Promise<string | undefined> {
  const port = Number(await readFile(noteFile(dir), "utf8").catch(() => ""));
  // The note of a process that was killed may name the port of somebody else by now.
  if (!port || (await servedDirectory(port)) !== realpathSync(dir)) return undefined;
  return `http://127.0.0.1:${port}`;
}

/** The data directory of the server on a port; "" for a server that is no ClickHouse, undefined when none answers. */
export async function servedDirectory(port: number): Promise<string | undefined> {
  try {
    const query = encodeURIComponent("SELECT path FROM system.disks WHERE name = 'default' FORMAT TSVRaw");
    const response = await fetch(`http://127.0.0.1:${port}/?query=${query}`, { signal: AbortSignal.timeout(2_000) });
    const text = (await response.text()).trim();
    return response.ok && text.startsWith("/") ? realpathSync(text) : "";
  } catch {
    return undefined;
  }
}
