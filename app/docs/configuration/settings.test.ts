import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { Environment } from "../../../server/environment";
import { SETTING_GROUPS } from "./settings";

const server = path.resolve(import.meta.dirname, "../../../server");
const READ = /process\.env\.([A-Z0-9_]+)/g;

/** Variables that are read outside of the schema, because they apply before it is checked. */
function readDirectly(file: string): string[] {
  return [...readFileSync(path.join(server, file), "utf8").matchAll(READ)].map(([, name = ""]) => name);
}

it("lists every environment variable that the configuration reads, and no other, once", () => {
  const read = new Set([
    ...Object.keys(Environment.shape),
    ...readDirectly("config.ts"),
    ...readDirectly("thread-pool.cjs"),
  ]);
  const listed = SETTING_GROUPS.flatMap(({ settings }) => settings.flatMap(({ names }) => names));
  expect([...listed].sort()).toEqual([...read].sort());
});
