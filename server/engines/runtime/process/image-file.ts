import { lstat, readlink } from "node:fs/promises";
import path from "node:path";

/** As the kernel's own limit. */
const LINKS_MAX = 40;

/**
 * Where a file of an image is on the node: links are followed as if `root` were the root of the file system. The path
 * is relative to it, with or without a slash at its beginning. undefined: the image has no such file.
 */
export async function imageFile(root: string, file: string): Promise<string | undefined> {
  let current: string[] = [];
  const pending = file.split("/").reverse();
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      current.pop();
      continue;
    }
    const next = [...current, part];
    const place = path.join(root, ...next);
    const found = await lstat(place).catch(() => undefined);
    if (!found) return undefined;
    if (!found.isSymbolicLink()) {
      current = next;
      continue;
    }
    if (++links > LINKS_MAX) return undefined;
    const target = await readlink(place);
    if (target.startsWith("/")) current = [];
    pending.push(...target.split("/").reverse());
  }
  return path.join(root, ...current);
}
