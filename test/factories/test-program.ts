import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";
import { afterAll } from "vitest";

const builds = path.resolve(import.meta.dirname, "../../.build/test");

/** Bundles a program in TypeScript to `outfile`; packages are loaded from node_modules. */
export async function bundleProgram(entry: string, outfile: string, more: BuildOptions = {}): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning",
    ...more,
  });
}

/** The path of a bundled program that tests of the file start as processes; it is removed after the last test. */
export async function testProgram(entry: string, more: BuildOptions = {}): Promise<string> {
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(path.join(builds, "program-"));
  // Other users run it too.
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, `${path.basename(entry, ".ts")}.mjs`);
  await bundleProgram(entry, outfile, more);
  return outfile;
}
