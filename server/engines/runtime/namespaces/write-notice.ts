import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import path from "node:path";

const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Writes a file that appears whole. The folder is mounted in a workload, which may not write to it; where the kernel
 * does not ensure that, a link that it has made is replaced, and never followed.
 */
export async function writeNotice(folder: string, name: string, contents: string): Promise<void> {
  if (!NAME.test(name)) throw new Error(`"${name}" is not the name of a notice.`);
  const draft = path.join(folder, `.${randomUUID()}`);
  const file = await open(draft, CREATE, 0o644);
  try {
    await file.writeFile(contents);
    await file.chmod(0o644);
  } finally {
    await file.close();
  }
  await rename(draft, path.join(folder, name)).catch(async (cause: unknown) => {
    await unlink(draft);
    throw cause;
  });
}
