import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findBreaches } from "../boundaries/check-boundaries.mjs";

/** One file that breaks a rule, and what it imports. */
const PLANTED: [rule: string, file: string, imports: string][] = [
  ["kernel-imports-nothing-of-ours", "server/kernel/bad.ts", "../engines/ok"],
  ["engines-imports-downward-only", "server/engines/bad.ts", "../identity/ok"],
  ["identity-imports-downward-only", "server/identity/bad.ts", "../ads/ok"],
  ["ads-and-cloud-imports-downward-only", "server/ads/bad.ts", "../http/ok"],
  ["ads-and-cloud-are-strangers", "server/cloud/bad.ts", "../ads/ok"],
  ["domains-know-no-surface", "server/ads/worse.ts", "hono"],
  ["below-the-root-nothing-knows-it", "server/http/bad.ts", "../app"],
  ["pages-ask-surfaces", "app/bad.ts", "../server/ads/ok"],
  ["widget-stands-alone", "widget/bad.ts", "../server/kernel/ok"],
  ["sdk-stands-alone", "sdk/bad.ts", "../server/kernel/ok"],
  ["no-cycles", "server/ads/ok.ts", "./round"],
];
const SOUND = ["kernel", "engines", "identity", "http"].map((layer) => `server/${layer}/ok.ts`);

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "svc-boundaries-"));
  const put = async (file: string, text: string) => {
    await mkdir(path.join(dir, path.dirname(file)), { recursive: true });
    await writeFile(path.join(dir, file), text);
  };
  for (const file of [...SOUND, "server/app.ts"]) await put(file, "export const it = 1;\n");
  await put("server/ads/round.ts", 'import * as ok from "./ok";\nexport const it = ok;\n');
  await put("node_modules/hono/package.json", '{ "name": "hono", "main": "index.js" }');
  await put("node_modules/hono/index.js", "");
  await put("package.json", '{ "dependencies": { "hono": "*" } }');
  for (const [, file, imports] of PLANTED) {
    await put(file, `import * as taken from "${imports}";\nexport const it = taken;\n`);
  }
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it("finds a planted breach of every rule, and only those", async () => {
  const { breaches, modules } = await findBreaches(dir);
  const found = breaches.map((breach) => breach.split(" -> ")[0]);
  for (const [rule, file] of PLANTED) expect(found).toContain(`${rule}: ${file}`);
  expect(modules).toBeGreaterThan(PLANTED.length);
  expect(breaches.filter((breach) => SOUND.some((file) => breach.includes(`: ${file}`)))).toEqual([]);
});

it("reads no module where there is none, which the check itself takes for a failure", async () => {
  const empty = await mkdtemp(path.join(os.tmpdir(), "svc-empty-"));
  await Promise.all(["server", "app", "widget", "sdk"].map((folder) => mkdir(path.join(empty, folder))));
  expect((await findBreaches(empty)).modules).toBe(0);
  await rm(empty, { recursive: true });
});
