// Run by `npm pack` in this folder: writes what package.json exports, ES modules and their types, to `dist`.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const TARGET = "es2022";
const RELATIVE = /(from |import\()"(\.{1,2}\/[^"]+)"/g;
/** Tests are beside the code that they test. */
const SOURCE = /(?<!\.test|\.d)\.tsx?$/;

const WEB_SOCKET = "command-line/pods/web-socket.ts";

const sources = import.meta.dirname;
const target = path.join(sources, "dist");
const { bin } = JSON.parse(readFileSync(path.join(sources, "package.json"), "utf8"));
await generateSources();
const files = filesOf(sources).filter((name) => SOURCE.test(name));
const entries = files.map((name) => path.join(sources, name));

rmSync(target, { recursive: true, force: true });
await build({
  entryPoints: entries,
  outbase: sources,
  outdir: target,
  format: "esm",
  target: TARGET,
  jsx: "automatic",
  logLevel: "silent",
  tsconfigRaw: {},
});
await bundleWebSocket();
await writeTypes();
for (const file of files.flatMap((name) => [".js", ".d.ts"].map((ending) => name.replace(SOURCE, ending)))) {
  const at = path.join(target, file);
  // Node's resolution requires the extension that the sources omit.
  writeFileSync(at, readFileSync(at, "utf8").replace(RELATIVE, '$1"$2.js"'));
}
for (const program of Object.values(bin)) chmodSync(path.join(sources, program), 0o755);

/** The files of `generated` come from the server's routes; a copy of this folder alone contains them already. */
async function generateSources() {
  const builder = path.join(sources, "../server/build/build.mjs");
  if (!existsSync(builder)) return;
  const { generateSdk } = await import(pathToFileURL(builder).href);
  await generateSdk({ print: (line) => process.stderr.write(`svc: ${line}\n`) });
}

/** The package has no dependencies, so that the library is part of the one file that imports it. */
async function bundleWebSocket() {
  const require = createRequire(import.meta.url);
  const license = readFileSync(path.join(path.dirname(require.resolve("ws/package.json")), "LICENSE"), "utf8");
  await build({
    entryPoints: [path.join(sources, WEB_SOCKET)],
    outfile: path.join(target, WEB_SOCKET.replace(SOURCE, ".js")),
    bundle: true,
    platform: "node",
    format: "esm",
    target: TARGET,
    logLevel: "silent",
    tsconfigRaw: {},
    // The library is CommonJS.
    banner: {
      js: `/* Contains ws.\n${license}*/\nimport { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);`,
    },
  });
}

/** All files of the folder by their relative paths, except an earlier build and installed packages. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => !/^(dist|node_modules)\b/.test(name));
}

/** @throws Error with the compiler's output when there are type errors. */
async function writeTypes() {
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const options = {
    ignoreConfig: true,
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: TARGET,
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "react-jsx",
    lib: "ES2023,DOM,DOM.Iterable",
    types: "react,node",
    rootDir: sources,
    outDir: target,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  // The compiler resolves type packages from its working directory.
  await run([compiler, ...flags, ...entries], { cwd: sources });
}

function run(args, { cwd }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`The types could not be written:\n${said}`)),
    );
  });
}
