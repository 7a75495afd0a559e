import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { takeLock } from "./file-lock.mjs";

const SECRET_LENGTH_MIN = 32;
const FREE_BYTES_MIN = 300 * 1024 * 1024;

export interface DataDir {
  dir: string;
  /** The installation's root secret: 43 random characters, made at the first start. */
  secret: string;
  /** Lets another svc process have the folder. */
  close(): void;
}

/**
 * Opens svc's data directory for this process alone; it is created for the current user only (0700). Throws one
 * sentence with the fix when the folder cannot be written, its disk is nearly full, its secret is unreadable, or another
 * svc process uses it. The lock of a process that is gone is taken over.
 */
export function openDataDir(dataDir: string): DataDir {
  const dir = path.resolve(dataDir);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    checkFreeSpace(dir);
    const lock = takeLock(path.join(dir, "svc.lock"));
    if (!lock.taken) throw new Error(inUse(dir, lock.pid));
    try {
      return { dir, secret: openSecret(path.join(dir, "secret")), close: lock.release };
    } catch (cause) {
      lock.release();
      throw cause;
    }
  } catch (cause) {
    throw explain(cause, dir);
  }
}

/** The secret of a folder that another svc process may have open. */
export const readSecret = (dataDir: string): string => openSecret(path.join(path.resolve(dataDir), "secret"));

function checkFreeSpace(dir: string): void {
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  if (free >= FREE_BYTES_MIN) return;
  throw new Error(
    `The disk of ${dir} has ${Math.floor(free / 1024 / 1024)} MB left: free at least ${FREE_BYTES_MIN / 1024 / 1024} MB, or set SVC_DATA_DIR to another disk.`,
  );
}

const inUse = (dir: string, pid: number): string =>
  `Another svc${pid > 0 ? ` (process ${pid})` : ""} uses ${dir}: stop it, or set SVC_DATA_DIR (and PORT) to run a second one.`;

function openSecret(file: string): string {
  if (!existsSync(file)) writeSecret(file, randomBytes(32).toString("base64url"));
  const secret = readFileSync(file, "utf8").trim();
  chmodSync(file, 0o600);
  if (secret.length >= SECRET_LENGTH_MIN) return secret;
  throw new Error(
    `${file} holds fewer than ${SECRET_LENGTH_MIN} characters: restore it from a backup, or delete it to make a new one (everybody then logs in again and stored secrets are lost).`,
  );
}

/** The rename makes it appear whole, and the sync keeps it when the power fails: nothing can make it again. */
function writeSecret(file: string, secret: string): void {
  const draft = `${file}.new`;
  const fd = openSync(draft, "w", 0o600);
  writeSync(fd, secret);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(draft, file);
}

function explain(cause: unknown, dir: string): Error {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const elsewhere = "set SVC_DATA_DIR to another folder";
  const sentences: Record<string, string> = {
    EACCES: `${dir} cannot be written by this user: give it to the user that runs svc (chown -R), or ${elsewhere}.`,
    EPERM: `${dir} cannot be written by this user: give it to the user that runs svc (chown -R), or ${elsewhere}.`,
    EROFS: `${dir} is on a read-only file system: ${elsewhere}.`,
    ENOSPC: `The disk of ${dir} is full: free at least 300 MB, or ${elsewhere}.`,
    EDQUOT: `The disk quota of ${dir} is used up: free at least 300 MB, or ${elsewhere}.`,
    EEXIST: `${dir} is a file, and svc needs a folder there: remove it, or ${elsewhere}.`,
    ENOTDIR: `${dir} lies below a file, and svc needs a folder there: ${elsewhere}.`,
  };
  const sentence = typeof code === "string" ? sentences[code] : undefined;
  if (sentence !== undefined) return new Error(sentence, { cause });
  return cause instanceof Error ? cause : new Error(String(cause));
}
