import { isUtf8 } from "node:buffer";
import { ServiceError } from "../../../kernel/errors";
import { LIST_NAMES, listedFiles } from "./listed-files";
import type { ReachedInside } from "./reach-started";
import { FILE_BYTES_MAX, runInside } from "./run-inside";

const READ = `[ -e "$1" ] || exit 44
[ -d "$1" ] && exit 45
[ -f "$1" ] || exit 46
[ -r "$1" ] || exit 47
exec cat -- "$1"`;
const WRITE = `[ -d "$1" ] && exit 45
folder=\${1%/*}
[ -z "$folder" ] || [ -d "$folder" ] || mkdir -p -- "$folder" || exit 1
exec cat > "$1"`;
const LIST = `[ -e "$1" ] || exit 44
[ -d "$1" ] || exit 48
[ -r "$1" ] || exit 47
cd -- "$1" || exit
${LIST_NAMES}`;
export const LISTED_FILES_MAX = 1000;
const LIST_BYTES_MAX = 8 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a file. Throws `not_found`, `unprocessable` and `payload_too_large`, as `runInside` does. */
export const readBytes = (reached: ReachedInside, path: string): Promise<Buffer> =>
  runInside(reached, { script: READ, path, bytesMax: FILE_BYTES_MAX });

/** The content of a file as text, or in Base64 if it is no text. */
export function contentOf(path: string, bytes: Buffer) {
  const encoding = isUtf8(bytes) ? "utf8" : "base64";
  return { path, size: bytes.length, content: bytes.toString(encoding), encoding } as const;
}

/** The bytes that a request wants in a file. Throws `invalid_request` and `payload_too_large`. */
export function bytesOf({ content, encoding }: { content: string; encoding: "utf8" | "base64" }): Buffer {
  if (encoding === "base64" && !BASE64.test(content))
    throw invalid("invalid_request", "expected Base64, because encoding is base64");
  const bytes = Buffer.from(content, encoding);
  if (bytes.length > FILE_BYTES_MAX) throw invalid("payload_too_large", `expected at most ${FILE_BYTES_MAX} bytes`);
  return bytes;
}

/** Replaces a file, and makes folders that are missing. Throws `unprocessable`. */
export async function writeBytes(reached: ReachedInside, path: string, bytes: Buffer) {
  await runInside(reached, { script: WRITE, path, stdin: bytes, bytesMax: FILE_BYTES_MAX });
  return { path, size: bytes.length };
}

/** The first files of a folder; those whose names are not UTF-8 are only counted. */
export async function listFolder(reached: ReachedInside, path: string) {
  const output = await runInside(reached, { script: LIST, path, bytesMax: LIST_BYTES_MAX });
  const { files, leftOut } = listedFiles(output);
  const truncated = files.length > LISTED_FILES_MAX;
  return { data: files.slice(0, LISTED_FILES_MAX), truncated, left_out: leftOut };
}

const invalid = (code: "invalid_request" | "payload_too_large", why: string): ServiceError =>
  new ServiceError(code, `content: ${why}.`, { param: "content" });
