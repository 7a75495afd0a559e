import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

/** The server starts in the process that builds, and fails if a module of Next was loaded there before it. */
const program = (outDir: string) => `
  import { createRequire } from "node:module";
  import { indexDocs } from "./server/build/build.mjs";
  await indexDocs(${JSON.stringify(outDir)});
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  console.log(loaded.filter((file) => file.includes("/node_modules/next/")).length);`;

it("the index of the documentation is built without loading Next into this process", () => {
  const outDir = mkdtempSync(path.join(os.tmpdir(), "svc-docs-"));
  try {
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program(outDir)], {
      encoding: "utf8",
    });
    expect(printed.trim()).toBe("0");
    expect(existsSync(path.join(outDir, "search-index.json"))).toBe(true);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
});
