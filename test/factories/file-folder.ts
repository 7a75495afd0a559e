import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** The path of a temporary folder for all tests of a file, which is removed after the last one; `name` begins its name. */
export function fileFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), name));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
