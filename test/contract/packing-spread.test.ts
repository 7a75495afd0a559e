import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const BIOME = path.join(ROOT, "node_modules/@biomejs/biome/bin/biome");
const RULE = path.join(ROOT, "test/boundaries/no-packing-spread.grit");

/** Files, each with the lines that break the rule. */
const PLANTED: Record<string, string[]> = {
  "objects.ts": [
    "export const a = { ...{ b: 1, c: 2 }, d: 3 };",
    'export const e = { f: [{ ...({ g: "h" } as const) }] };',
    "export const i = { ...{\n  j: 1,\n} };",
  ],
  "arrays.mjs": ["export const a = [...[1, 2], 3];", "export const b = Math.max(...[1, 2]);"],
  "attributes.tsx": ['export const A = () => <a {...{ href: "/", title: "Home" }} />;'],
};
const SOUND = `
export const base = { a: 1 };
export const copied = { ...base, b: 2 };
export const chosen = (c?: number) => ({ ...(c !== undefined && { c }), ...(c ? { d: 1 } : { e: 1 }) });
export const doubled = [...[1, 2].map((n) => 2 * n), ...Object.keys({ ...base })];
export const last = (...[, one]: number[]) => one;
`;

it("finds a planted spread of a literal, and no other spread", async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-spreads-"));
  const put = (file: string, text: string) => writeFile(path.join(dir, file), text);
  await put("biome.json", JSON.stringify({ plugins: [RULE], linter: { rules: { preset: "none" } } }));
  for (const [file, lines] of Object.entries(PLANTED)) await put(file, `${lines.join("\n")}\n`);
  await put("sound.ts", SOUND);
  const report = await new Promise<string>((resolve) => {
    execFile(process.execPath, [BIOME, "lint", "--reporter=github", "."], { cwd: dir }, (_, stdout) => resolve(stdout));
  });
  await rm(dir, { recursive: true });
  const places = [...report.matchAll(/title=([^,]+),file=[^,]*?([^/,]+),line=(\d+)/g)];
  expect(places.map(([, rule, file, line]) => `${rule} ${file}:${line}`).sort()).toEqual([
    "plugin arrays.mjs:1",
    "plugin arrays.mjs:2",
    "plugin attributes.tsx:1",
    "plugin objects.ts:1",
    "plugin objects.ts:2",
    "plugin objects.ts:3",
  ]);
});

it("is one of the rules of `npm run verify`", async () => {
  const { plugins } = JSON.parse(await readFile(path.join(ROOT, "biome.json"), "utf8"));
  expect(plugins).toContain(`./${path.relative(ROOT, RULE)}`);
});
