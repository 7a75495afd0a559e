import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildWidget } from "../../widget/build-widget.mjs";

const rootDir = path.resolve(import.meta.dirname, "../..");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "svc-widget-size-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function check(file: string): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [
    path.join(rootDir, "server/build/check-widget-size.mjs"),
    file,
  ]);
  return { status, said: String(stderr) };
}

it("accepts the current widget", async () => {
  const { outFile } = await buildWidget({ rootDir, outFile: path.join(folder, "widget.js") });
  expect(check(outFile)).toMatchObject({
    status: 0,
    said: expect.stringMatching(/ \d{4} bytes gzip, of 5120 at most/),
  });
});

it("fails for a widget that is a few bytes too large", () => {
  const file = path.join(folder, "widget.js");
  // Random bytes cannot be compressed; the gzip format adds about 20.
  writeFileSync(file, randomBytes(5_080));
  expect(check(file).status).toBe(0);
  writeFileSync(file, randomBytes(5_120));
  expect(check(file)).toMatchObject({ status: 1, said: expect.stringContaining("of 5120 at most") });
});
