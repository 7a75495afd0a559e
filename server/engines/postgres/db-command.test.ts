import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { runDbCommand } from "./db-command";

test("an unknown command, or one without its name, prints the usage, exits 2 and starts nothing", async () => {
  const lines: string[] = [];
  const dataDir = path.join(os.tmpdir(), `svc-unused-${process.pid}`);
  const options = {
    rootDir: path.resolve(import.meta.dirname, "../../.."),
    dataDir,
    print: (line: string) => lines.push(line),
  };
  expect(await runDbCommand(["push"], options)).toBe(2);
  expect(await runDbCommand(["create"], options)).toBe(2);
  expect(await runDbCommand(["deploy", "now"], options)).toBe(2);
  expect(await runDbCommand([], options)).toBe(2);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain("Usage: npm run db");
  expect(existsSync(dataDir)).toBe(false);
});
