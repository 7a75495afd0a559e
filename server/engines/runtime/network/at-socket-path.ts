import { open } from "node:fs/promises";
import path from "node:path";

/**
 * Calls `use` with a path of a Unix socket that is short enough for the kernel (107 bytes) wherever its folder is; the
 * path is valid until `use` resolves.
 */
export async function atSocketPath<T>(socket: string, use: (short: string) => Promise<T>): Promise<T> {
  const folder = await open(path.dirname(socket), "r");
  try {
    return await use(`/proc/self/fd/${folder.fd}/${path.basename(socket)}`);
  } finally {
    await folder.close();
  }
}
