import path from "node:path";

/** What an image expects there is the node's. */
const OF_NODE = /^\/(dev|proc|sys)(\/|$)/;

/**
 * The target of a symbolic link in a folder of an image, so that it leads to the same file below the root of the image on
 * the node as it would if that were the root of the file system. `folder` is relative to the root, "" for it.
 */
export function linkInRoot(folder: string, target: string): string {
  const parts = folder.split("/").filter((part) => part !== "");
  const isInside = !target.startsWith("/") && staysInside(parts.length, target);
  if (isInside || OF_NODE.test(target)) return target;
  const absolute = path.posix.resolve("/", folder, target);
  return `${"../".repeat(parts.length)}${absolute.slice(1)}` || ".";
}

function staysInside(depth: number, target: string): boolean {
  let level = depth;
  for (const part of target.split("/")) {
    if (part === "..") level--;
    else if (part !== "" && part !== ".") level++;
    if (level < 0) return false;
  }
  return true;
}
