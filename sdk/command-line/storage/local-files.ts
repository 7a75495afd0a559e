import { isUtf8 } from "node:buffer";
import type { Dirent, Stats } from "node:fs";
import { lstat, mkdir, opendir, stat } from "node:fs/promises";
import path from "node:path";

export interface LocalFile {
  /** The path to open. */
  file: string;
  /** The path below the folder, with slashes. */
  name: string;
  size: number;
  mtimeMs: number;
}

export interface Walk {
  followLinks: boolean;
  /** Called for what is neither a file nor a folder, and for links that are not followed. */
  onSkipped: (file: string, reason: string) => void;
  /** Called for a file or folder that should be read, and cannot be; in a name each byte that is not UTF-8 is `%E9`. */
  onFailed: (file: string, reason: string) => void;
}

/** The files below a folder, in no particular order; loops of links are entered once. */
export async function* walkFolder(folder: string, walk: Walk): AsyncGenerator<LocalFile> {
  const entered = new Set<string>();
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const at = path.join(folder, below);
    const { dev, ino } = await stat(at);
    if (entered.has(`${dev}:${ino}`)) continue;
    entered.add(`${dev}:${ino}`);
    for (const entry of await entriesOf(at, walk)) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      const file = path.join(folder, name);
      if (entry.isSymbolicLink() && !walk.followLinks) walk.onSkipped(file, "a symbolic link; see --follow-symlinks");
      else {
        const facts = await stat(file).catch(() => undefined);
        if (facts?.isDirectory()) waiting.push(name);
        else if (facts?.isFile()) yield { file, name, size: facts.size, mtimeMs: facts.mtimeMs };
        else if (facts) walk.onSkipped(file, "neither a file nor a folder");
        else walk.onFailed(file, "It is a link to nothing, or not accessible.");
      }
    }
  }
}

/** What is in a folder. Names are read as bytes: as text, one that is not UTF-8 would name another file, or none. */
async function entriesOf(folder: string, { onFailed }: Walk): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder, { encoding: "buffer" as BufferEncoding })) {
      const name = entry.name as unknown as Buffer;
      if (isUtf8(name)) entries.push(Object.assign(entry, { name: name.toString() }));
      else onFailed(path.join(folder, escaped(name)), "Its name is not UTF-8, as the keys of objects are; rename it.");
    }
  } catch (failure) {
    onFailed(folder, failure instanceof Error ? failure.message : String(failure));
  }
  return entries;
}

/** A name with `%E9` for the byte E9 where it is not ASCII. */
const escaped = (name: Buffer): string =>
  [...name].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`)).join("");

/** Names that Windows gives to devices, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\..*)?$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that file systems refuse.
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Why a key must not become a path below a folder, or undefined if it may. Anyone who can write to a bucket chooses keys:
 * none of them may leave the folder. What only Windows interprets is a reason only there, except separators and drives.
 */
export function unsafeReason(key: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const segments = key.split("/");
  if (key.startsWith("/")) return "it is an absolute path";
  if (segments.includes("..") || segments.includes(".")) return 'it has a segment "." or ".."';
  if (segments.includes("")) return "it has an empty segment";
  if (CONTROL.test(key)) return "it has control characters";
  if (key.includes("\\")) return "it has a backslash, which separates folders on Windows";
  if (/^[a-z]:/i.test(key)) return "it begins with the name of a drive";
  if (platform !== "win32") return undefined;
  if (/[<>:"|?*]/.test(key)) return "it has characters that Windows does not allow";
  if (segments.some((segment) => DEVICES.test(segment))) return "it names a device of Windows";
  return segments.some((segment) => /[. ]$/.test(segment)) ? "a segment ends with a dot or a space" : undefined;
}

/** Creates the folders of a file below `root`. Rejects when one of them is a link, which may lead elsewhere. */
export async function makeFolders(root: string, name: string): Promise<void> {
  await mkdir(root, { recursive: true });
  let at = root;
  for (const segment of name.split("/").slice(0, -1)) {
    at = path.join(at, segment);
    const facts = await lstat(at).catch(() => undefined);
    if (!facts) await mkdir(at).catch(ignoreExisting);
    else if (facts.isSymbolicLink()) throw new Error(`${at} is a symbolic link, which is not followed.`);
    else if (!facts.isDirectory()) throw new Error(`${at} is a file, and a folder is needed there.`);
  }
}

/** Another file of the same folder may have created it. */
function ignoreExisting(failure: NodeJS.ErrnoException): void {
  if (failure.code !== "EEXIST") throw failure;
}

/** What a path names, with links followed; undefined for nothing. */
export const factsOf = (file: string): Promise<Stats | undefined> => stat(file).catch(() => undefined);
