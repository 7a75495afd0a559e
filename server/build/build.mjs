// Builds everything that svc needs to run; each part only if its sources have changed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildProgress } from "./build-progress.mjs";

export const rootDir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const buildDir = path.join(rootDir, ".build");
const SCHEMA = "prisma/schema";
const CLIENT = [SCHEMA, "server/build/generate-client.mjs", "package.json"];
const CLIENT_FILES = ["../server/engines/postgres/generated/client.ts"];
const REFERENCE = ["server/build/build-reference.mjs", "package.json"];
const DOCS = ["app/docs", "app/components", "server", "package.json"];
const DOCS_INDEX = ["../app/docs/generated/search-index.json", "../app/docs/generated/outline.json"];
const SDK_FILES = ["operations.ts", "platform-types.ts", "commands.ts"].map((name) => `../sdk/generated/${name}`);
/** One of many, which are written together. */
const INPUT_FILES = ["../app/generated/inputs/createProject.ts"];
const ENTRIES = ["main", "cli", "bench", "index-worker"];
/** Worker threads that are one file each. */
const THREADS = ["feed-worker", "otlp-worker", "scan-worker", "tensor-worker"];
/** Packages of many small modules, which take longer to find and read one by one than to run. */
const BUNDLED = ["@iabgpp/cmpapi", "hono", "jose"];
const require = (await import("node:module")).createRequire(import.meta.url);

/** What Next prints when a phase begins. */
const PAGE_PHASES = [
  ["Creating an optimized production build", "compiling"],
  ["Collecting page data", "collecting page data"],
  ["Generating static pages", "generating static pages"],
  ["Finalizing page optimization", "finishing"],
];

/**
 * Builds what is out of date. `print` receives lines about what is being built; with `terminal`, a stream, the current
 * line is rewritten there instead. With `pages: false` Next is skipped.
 */
export async function build({ print, terminal, pages = true }) {
  const output = { print, terminal };
  await generateSdk(output);
  await part({ name: "widget", from: ["widget", "package.json"], to: ["widget.js"], output }, buildWidget);
  await part({ name: "docs index", from: DOCS, to: DOCS_INDEX, output }, () => indexDocs());
  await part({ name: "reference", from: REFERENCE, to: ["reference.js.gz"], output }, buildReferenceScript);
  await part(
    {
      name: "server",
      from: ["server", "sdk", "prisma/schema", "test/bench", "package.json"],
      to: ["server/main.mjs", ...THREADS.map((name) => `server/${name}.mjs`)],
      output,
    },
    bundleServer,
  );
  if (!pages) return;
  const sources = [
    "app",
    "app/docs/generated",
    "app/generated",
    "next.config.mjs",
    "postcss.config.mjs",
    "package.json",
    "tsconfig.json",
    "server/surfaces.ts",
  ];
  await part({ name: "pages", from: sources, to: ["../.next/BUILD_ID"], output }, buildPages);
}

async function part({ name, from, to = [], output }, make) {
  const stamp = path.join(buildDir, `${name.replaceAll(" ", "-")}.stamp`);
  const print256 = fingerprint(from);
  const made = to.every((file) => existsSync(path.join(buildDir, file)));
  if (made && existsSync(stamp) && readFileSync(stamp, "utf8") === print256) return;
  rmSync(stamp, { force: true });
  const progress = buildProgress({ part: name, ...output });
  let seconds;
  try {
    await make(progress);
  } finally {
    seconds = progress.end();
  }
  writeFileSync(stamp, print256);
  output.print(`built ${name} in ${seconds.toFixed(1)} s`);
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
    .filter((name) => name !== "generated" && name !== "dist" && !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesOf(path.join(place, name)));
}

/**
 * Writes `sdk/generated` and `app/generated`, which the SDK, the command line, forms and the check of types need, if they
 * are stale.
 */
export async function generateSdk(output) {
  mkdirSync(buildDir, { recursive: true });
  await part({ name: "database client", from: CLIENT, to: CLIENT_FILES, output }, generateClient);
  await part({ name: "sdk", from: ["server", "package.json"], to: [...SDK_FILES, ...INPUT_FILES], output }, () =>
    runQuietly([path.join(rootDir, "server/build/generate-sdk.mjs")], {}),
  );
}

const generateClient = () =>
  runQuietly([path.join(rootDir, "server/build/generate-client.mjs"), path.join(rootDir, SCHEMA)], {});

async function buildWidget() {
  const { buildWidget: make } = await import("../../widget/build-widget.mjs");
  await make({ rootDir, outFile: path.join(buildDir, "widget.js") });
}

/** In a process of its own: Next's modules, which the pages import, must not be loaded before the server that starts here. */
export async function indexDocs(outDir = path.join(rootDir, "app/docs/generated")) {
  const script = pathToFileURL(path.join(rootDir, "server/build/build-docs-index.mjs")).href;
  const options = JSON.stringify({ rootDir, outDir });
  const program = `import { buildDocsIndex } from ${JSON.stringify(script)}; await buildDocsIndex(${options});`;
  await runQuietly(["--input-type=module", "--eval", program], {});
}

async function buildReferenceScript() {
  const { buildReference } = await import("./build-reference.mjs");
  await buildReference({ outFile: path.join(buildDir, "reference.js.gz") });
}

async function bundleServer() {
  const esbuild = await import("esbuild");
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(rootDir, "package.json"), "utf8"));
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
    external: Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => !BUNDLED.includes(name))
      .flatMap((name) => [name, `${name}/*`]),
    sourcemap: true,
    logLevel: "warning",
  });
  const { buildThread } = await import("./build-thread.mjs");
  for (const name of THREADS) await buildThread({ name, outFile: path.join(buildDir, `server/${name}.mjs`) });
  await esbuild.stop();
}

async function buildPages(progress) {
  await runQuietly(
    [require.resolve("next/dist/bin/next"), "build"],
    { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    (text) => {
      const [, phase] = PAGE_PHASES.find(([words]) => text.includes(words)) ?? [];
      if (phase) progress.enter(phase);
    },
  );
}

/** Runs a Node program; its output is passed to `read`, and shown only if the program fails. */
function runQuietly(args, env, read = () => undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: rootDir,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
        read(String(chunk));
      });
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(args[0])} failed:\n${said}`)),
    );
  });
}
