import { open } from "node:fs/promises";

/**
 * Makes created, renamed and removed names of a folder durable; without it a new file can disappear after a power loss.
 */
export async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
