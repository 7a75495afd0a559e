import { isUtf8 } from "node:buffer";
import { invalidLayer } from "./layer-errors";

/**
 * The text of a name on a disk. Throws `image_invalid` for bytes that are not UTF-8: archives name files by texts, and
 * another text would name another file.
 */
export function utf8Name(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw notUtf8(bytes.toString("utf8"));
}

/** Throws `image_invalid` for a name in an archive that was no UTF-8, which its reader shows by a replacement. */
export function assertUtf8Name(name: string | null | undefined): void {
  if (name?.includes("\ufffd")) throw notUtf8(name);
}

const notUtf8 = (shown: string) =>
  invalidLayer(`the name of a file is not UTF-8 text, ${JSON.stringify(shown.slice(-200))}; rename the file`);
