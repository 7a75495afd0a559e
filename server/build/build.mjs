// Builds everything that svc needs to run; each part only if its sources have changed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const rootDir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const buildDir = path.join(rootDir, ".build");
const SCHEMA = "prisma/schema";
const REFERENCE = ["server/build/build-reference.mjs", "package.json"];
const ENTRIES = ["main", "cli", "bench", "index-worker"];
const require = (await import("node:module")).createRequire(import.meta.url);

/** Builds what is out of date; `print` receives one line per part. With `pages: false` Next is skipped. */
export async function build({ print, pages = true }) {
  mkdirSync(buildDir, { recursive: true });
  await part(
    {
      name: "database client",
      from: [SCHEMA, "server/build/generate-client.mjs", "package.json"],
      to: ["../server/engines/postgres/generated/client.ts"],
      print,
    },
    generateClient,
  );
  await part({ name: "widget", from: ["widget", "package.json"], to: ["widget.js"], print }, buildWidget);
  await part({ name: "reference", from: REFERENCE, to: ["reference.js.gz"], print }, buildReferenceScript);
  await part(
    {
      name: "server",
      from: ["server", "sdk", "prisma/schema", "test/bench", "package.json"],
      to: ["server/main.mjs", "server/feed-worker.mjs"],
      print,
    },
    bundleServer,
  );
  if (!pages) return;
  const sources = [
    "app",
    "next.config.mjs",
    "postcss.config.mjs",
    "package.json",
    "tsconfig.json",
    "server/surfaces.ts",
  ];
  await part({ name: "pages", from: sources, to: ["../.next/BUILD_ID"], print }, buildPages);
}

async function part({ name, from, to = [], print }, make) {
  const stamp = path.join(buildDir, `${name.replaceAll(" ", "-")}.stamp`);
  const print256 = fingerprint(from);
  const made = to.every((file) => existsSync(path.join(buildDir, file)));
  if (made && existsSync(stamp) && readFileSync(stamp, "utf8") === print256) return;
  rmSync(stamp, { force: true });
  const startedAt = Date.now();
  print(`building ${name} …`);
  await make();
  writeFileSync(stamp, print256);
  print(`built ${name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

function fingerprint(sources) {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources)
    for (const file of filesOf(path.join(rootDir, source))) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function filesOf(place) {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .filter((name) => name !== "generated" && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
}

const generateClient = () =>
  runQuietly([path.join(rootDir, "server/build/generate-client.mjs"), path.join(rootDir, SCHEMA)], {});

async function buildWidget() {
  const { buildWidget: make } = await import("../../widget/build-widget.mjs");
  await make({ rootDir, outFile: path.join(buildDir, "widget.js") });
}

async function buildReferenceScript() {
  const { buildReference } = await import("./build-reference.mjs");
  await buildReference({ outFile: path.join(buildDir, "reference.js.gz") });
}

async function bundleServer() {
  const esbuild = await import("esbuild");
  // Chunk names contain hashes of their content, so chunks of the last build would otherwise remain.
  rmSync(path.join(buildDir, "server"), { recursive: true, force: true });
  const entries = {
    main: "server/main.ts",
    cli: "server/cli.ts",
    bench: "test/bench/bench.ts",
    "index-worker": "server/ads/matching/index-worker.ts",
  };
  await esbuild.build({
    absWorkingDir: rootDir,
    entryPoints: ENTRIES.map((name) => ({ in: entries[name], out: name })).filter(({ in: file }) =>
      existsSync(path.join(rootDir, file)),
    ),
    outdir: path.join(buildDir, "server"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    sourcemap: true,
    logLevel: "warning",
  });
  const { buildFeedWorker } = await import("./build-feed-worker.mjs");
  await buildFeedWorker({ outFile: path.join(buildDir, "server/feed-worker.mjs") });
  await esbuild.stop();
}

async function buildPages() {
  await runQuietly([require.resolve("next/dist/bin/next"), "build"], {
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_ENV: "production",
  });
}

/** Runs a Node program; its output is shown only if it fails. */
function runQuietly(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: rootDir,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(args[0])} failed:\n${said}`)),
    );
  });
}
