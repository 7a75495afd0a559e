import { chownSync, closeSync, openSync, rmSync, writeFileSync } from "node:fs";

/**
 * Returns a descriptor of a file that contains `text` and has already been unlinked. A child that inherits it as
 * descriptor N can read it from `/dev/fd/N`, even as the given user; no other user can open it. The caller closes it.
 */
export function openUnlinked(
  file: string,
  text: string,
  { uid, gid }: { uid?: number | undefined; gid?: number | undefined } = {},
): number {
  rmSync(file, { force: true });
  writeFileSync(file, "", { mode: 0o600, flag: "wx" });
  const fd = openSync(file, "r");
  try {
    writeFileSync(file, text);
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
    return fd;
  } catch (cause) {
    closeSync(fd);
    throw cause;
  } finally {
    rmSync(file, { force: true });
  }
}
