import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { findBreaches } from "../boundaries/check-boundaries.mjs";
import { fileFolder } from "../factories/file-folder";

/** One file that breaks a rule, and what it imports. */
const PLANTED: [rule: string, file: string, imports: string][] = [
  ["kernel-imports-nothing-of-ours", "server/kernel/bad.ts", "../engines/ok"],
  ["guard-imports-downward-only", "server/guard/bots/bad.ts", "../../engines/ok"],
  ["engines-imports-downward-only", "server/engines/bad.ts", "../identity/ok"],
  ["identity-imports-downward-only", "server/identity/bad.ts", "../ads/ok"],
  ["operation-imports-downward-only", "server/operation/bad.ts", "../identity/ok"],
  ["ads-and-cloud-imports-downward-only", "server/ads/bad.ts", "../surfaces/ok"],
  ["ads-and-cloud-are-strangers", "server/cloud/bad.ts", "../ads/ok"],
  ["domains-know-no-surface", "server/ads/worse.ts", "hono"],
  ["below-the-root-nothing-knows-it", "server/surfaces/bad.ts", "../app"],
  ["pages-ask-surfaces", "app/bad.ts", "../server/ads/ok"],
  ["widget-stands-alone", "widget/bad.ts", "../server/kernel/ok"],
  ["sdk-stands-alone", "sdk/bad.ts", "../server/kernel/ok"],
  ["no-cycles", "server/ads/ok.ts", "./round"],
  ["folders-keep-their-files", "server/identity/bad-ctx.ts", "./tenants/hidden"],
  ["folders-keep-their-files", "server/ads/orders/order-ctx.ts", "../buyers/hidden"],
  ["folders-keep-their-files", "server/ads/pixels/hidden-use.ts", "../clicks/hidden"],
  ["folders-keep-their-files", "server/cloud/compute/pods/hidden-use.ts", "../../data/queues/hidden"],
  ...["core", "data", "net", "compute", "edge", "ai", "obs", "shield", "money", "events"].map(
    (floor): [string, string, string] => [
      `${/money|events/.test(floor) ? "money-and-events" : floor}-floor-imports-downward-only`,
      `server/cloud/${floor}/nouns/bad.ts`,
      "../../families/gpuc/create-thing",
    ],
  ),
];
/** What the folder rules allow: an operation, the noun's file, its routes and what a list says, a context, the root, tests. */
const ALLOWED: [file: string, imports: string][] = [
  ["server/identity/users/create-user.ts", "../tenants/create-tenant"],
  ["server/identity/users/user.ts", "../tenants/tenant"],
  ["server/identity/users/get-user.ts", "../tenants/shown"],
  ["server/identity/tenants/get-tenant.ts", "./hidden"],
  ["server/identity/users/user.test.ts", "../tenants/hidden"],
  ["server/identity/tenants/tenant.test.ts", "../users/user"],
  ["server/identity/tenants/list-tenants.ts", "../user-ctx"],
  ["server/surfaces/http/routes.ts", "../identity/users/users.routes"],
  ["server/main.ts", "./identity/tenants/hidden"],
  ["server/engines/start.ts", "./first/part"],
  ["server/engines/first/part.ts", "../shared"],
  ["server/cloud/money/invoices/create-invoice.ts", "../../events/webhooks/create-webhook"],
  // With the planted import of a hidden file they make the cycle.
  ["server/ads/clicks/create-click.ts", "../pixels/create-pixel"],
  // The same with the planted context.
  ["server/ads/buyers/create-buyer.ts", "../orders/create-order"],
];
const NONE = { verbs: [], shown: [], exceptions: [] };
const PUBLIC_FILES = {
  verbs: ["create", "get", "list"],
  shown: ["server/identity/tenants/shown.ts"],
  exceptions: ["server/identity/tenants/idle.ts"],
};
/** They import nothing. */
const IMPORTED = [
  "server/identity/tenants/create-tenant.ts",
  "server/identity/tenants/tenant.ts",
  "server/identity/tenants/shown.ts",
  "server/identity/tenants/hidden.ts",
  "server/identity/users/users.routes.ts",
  "server/ads/clicks/hidden.ts",
  "server/ads/pixels/create-pixel.ts",
  "server/ads/buyers/hidden.ts",
  "server/ads/orders/create-order.ts",
  "server/engines/shared.ts",
  "server/cloud/data/queues/hidden.ts",
  "server/cloud/families/gpuc/create-thing.ts",
  "server/cloud/events/webhooks/create-webhook.ts",
];
const SOUND = ["kernel", "guard", "engines", "operation", "identity", "surfaces"].map(
  (layer) => `server/${layer}/ok.ts`,
);

const dir = fileFolder("svc-boundaries-");
const put = async (file: string, text: string) => {
  await mkdir(path.join(dir, path.dirname(file)), { recursive: true });
  await writeFile(path.join(dir, file), text);
};
for (const file of [...SOUND, "server/app.ts"]) await put(file, "export const it = 1;\n");
await put("server/ads/round.ts", 'import * as ok from "./ok";\nexport const it = ok;\n');
await put("node_modules/hono/package.json", '{ "name": "hono", "main": "index.js" }');
await put("node_modules/hono/index.js", "");
await put("package.json", '{ "dependencies": { "hono": "*" } }');
for (const file of IMPORTED) await put(file, "export const it = 1;\n");
await put("server/identity/user-ctx.ts", 'import type { it } from "../operation/ok";\nexport type It = typeof it;\n');
for (const [file, imports] of [...PLANTED.map(([, ...rest]) => rest), ...ALLOWED]) {
  await put(file, `import * as taken from "${imports}";\nexport const it = taken;\n`);
}

it("finds a planted breach of every rule, and only those", async () => {
  const { breaches, modules } = await findBreaches(dir, PUBLIC_FILES);
  const found = breaches.map((breach) => breach.split(" -> ")[0]);
  for (const [rule, file] of PLANTED) expect(found).toContain(`${rule}: ${file}`);
  expect(modules).toBeGreaterThan(PLANTED.length);
  const sound = [...SOUND, ...IMPORTED, ...ALLOWED.map(([file]) => file), "server/identity/user-ctx.ts"];
  expect(breaches.filter((breach) => sound.some((file) => breach.includes(`: ${file}`)))).toEqual([]);
});

it("shows the way round a folder cycle and the files that make it, contexts included", async () => {
  const { breaches } = await findBreaches(dir, PUBLIC_FILES);
  expect(breaches.filter((breach) => breach.startsWith("no-folder-cycles"))).toEqual([
    "no-folder-cycles: server/ads/buyers -> server/ads/orders -> server/ads/buyers " +
      "(server/ads/buyers/create-buyer.ts imports server/ads/orders/create-order.ts; " +
      "server/ads/orders/order-ctx.ts imports server/ads/buyers/hidden.ts)",
    "no-folder-cycles: server/ads/clicks -> server/ads/pixels -> server/ads/clicks " +
      "(server/ads/clicks/create-click.ts imports server/ads/pixels/create-pixel.ts; " +
      "server/ads/pixels/hidden-use.ts imports server/ads/clicks/hidden.ts)",
  ]);
});

it("finds an exception that nothing needs any more, so that the list gets shorter", async () => {
  const { breaches } = await findBreaches(dir, PUBLIC_FILES);
  expect(breaches.filter((breach) => breach.startsWith("exceptions-are-needed"))).toEqual([
    "exceptions-are-needed: test/boundaries/public-files.cjs -> server/identity/tenants/idle.ts",
  ]);
});

it("reads no module where there is none, which the check itself takes for a failure", async () => {
  const empty = await mkdtemp(path.join(os.tmpdir(), "svc-empty-"));
  await Promise.all(["server", "app", "widget", "sdk"].map((folder) => mkdir(path.join(empty, folder))));
  expect((await findBreaches(empty, NONE)).modules).toBe(0);
  await rm(empty, { recursive: true });
});
