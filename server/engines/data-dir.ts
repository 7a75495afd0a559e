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
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "../kernel/errors";
import { heldFile } from "./disk-space/held-space";
import { takeLock } from "./file-lock.mjs";

const SECRET_LENGTH_MIN = 32;
const FREE_BYTES_MIN = 300 * 1024 * 1024;
/** Room for three segments of Postgres' own log: below it svc still works, but reports that it is not ready. */
export const READY_FREE_BYTES_MIN = 64 * 1024 * 1024;

export interface DataDir {
  dir: string;
  /** The installation's root secret: 43 random characters, generated at the first start. */
  secret: string;
  /** Releases the folder for another svc process. */
  close(): void;
}

/**
 * Opens svc's data directory exclusively for this process, and creates it for the current user only (0700). Throws an
 * error of one sentence, with the fix, if the folder cannot be written, its disk is nearly full, its secret is
 * unreadable, or another svc process uses it. The lock of a process that has ended is taken over.
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
  const freeNow = () => {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  };
  // What svc has kept for itself is for a start on a disk that is nearly full, too.
  if (freeNow() < FREE_BYTES_MIN) rmSync(heldFile(dir), { force: true });
  const free = freeNow();
  if (free >= FREE_BYTES_MIN) return;
  throw new Error(
    `The disk of ${dir} has ${megabytes(free)} MB left: free at least ${megabytes(FREE_BYTES_MIN)} MB, or set SVC_DATA_DIR to another disk.`,
  );
}

/** The bytes that are free for this process on the disk of a folder. */
export async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** Rejects with `unavailable` and the figures while the disk of a running svc has less than 64 MB left. */
export async function checkSpaceLeft(dataDir: string): Promise<void> {
  const free = await freeBytesOf(dataDir);
  if (free >= READY_FREE_BYTES_MIN) return;
  throw new ServiceError(
    "unavailable",
    `The disk of the data directory has ${megabytes(free)} MB left, and ${megabytes(READY_FREE_BYTES_MIN)} MB is the minimum: free some.`,
    { details: { reason: "disk_full" } },
  );
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

const inUse = (dir: string, pid: number): string =>
  `Another svc${pid > 0 ? ` (process ${pid})` : ""} uses ${dir}: stop it, or set SVC_DATA_DIR (and PORT) to run a second one.`;

function openSecret(file: string): string {
  if (!existsSync(file)) writeSecret(file, randomBytes(32).toString("base64url"));
  const secret = readFileSync(file, "utf8").trim();
  chmodSync(file, 0o600);
  if (secret.length >= SECRET_LENGTH_MIN) return secret;
  throw new Error(
    `${file} has fewer than ${SECRET_LENGTH_MIN} characters: restore it from a backup, or delete it to generate a new one (all users must then log in again, and stored secrets are lost).`,
  );
}

/**
 * The rename makes the file appear complete, and the sync keeps it after a power loss: the secret cannot be recreated.
 */
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
    ENOTDIR: `${dir} is inside a path that is a file, and svc needs a folder there: ${elsewhere}.`,
  };
  const sentence = typeof code === "string" ? sentences[code] : undefined;
  if (sentence !== undefined) return new Error(sentence, { cause });
  return cause instanceof Error ? cause : new Error(String(cause));
}
