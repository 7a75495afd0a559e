import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

const rootDir = path.resolve(import.meta.dirname, "../..");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "svc-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function check(change: (files: { manifest: Manifest; lock: Lock }) => void) {
  const read = (name: string) => JSON.parse(readFileSync(path.join(rootDir, name), "utf8"));
  const files = { manifest: read("package.json") as Manifest, lock: read("package-lock.json") as Lock };
  change(files);
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(files.manifest));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify(files.lock));
  const run = spawnSync(process.execPath, [path.join(rootDir, "server/build/check-lock.mjs"), folder]);
  return { status: run.status, lines: String(run.stderr).trim().split("\n") };
}

it("accepts the current files", () => {
  expect(check(() => undefined)).toEqual({ status: 0, lines: [""] });
});

const FIX = "svc: run npm install and commit package-lock.json";

it("fails for a dependency that the lock lacks", () => {
  const { status, lines } = check(({ manifest }) => {
    manifest.dependencies["left-pad"] = "1.3.0";
  });
  expect(status).toBe(1);
  expect(lines).toEqual(["package-lock.json has left-pad not in dependencies, package.json 1.3.0", FIX]);
});

it("fails for another version, a removed dependency and a range", () => {
  const { status, lines } = check(({ manifest, lock }) => {
    manifest.devDependencies.vitest = "5.0.0";
    delete manifest.dependencies.zod;
    manifest.dependencies.pg = "^8.23.1";
    const installed = lock.packages["node_modules/ws"];
    if (installed) installed.version = "8.0.0";
  });
  expect(status).toBe(1);
  expect(lines).toEqual([
    "package.json: pg has no exact version: ^8.23.1",
    "package-lock.json installs ws 8.0.0 instead of 8.23.0",
    "package-lock.json has zod in dependencies, package.json does not",
    "package-lock.json has vitest 5.1.1 in devDependencies, package.json 5.0.0",
    FIX,
  ]);
});

it("fails for a package of another platform, and one of a package, that the lock lacks", () => {
  const { status, lines } = check(({ lock }) => {
    delete lock.packages["node_modules/@biomejs/cli-win32-x64"];
    lock.packages["node_modules/zod"] = { version: "4.6.7", dependencies: { "left-pad": "1.3.0" } };
  });
  expect(status).toBe(1);
  expect(lines).toEqual([
    "package-lock.json lacks @biomejs/cli-win32-x64, which node_modules/@biomejs/biome names",
    "package-lock.json lacks left-pad, which node_modules/zod names",
    FIX,
  ]);
});
