import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const TARGET = "es2022";
const RELATIVE = /(from )"(\.{1,2}\/[^"]+)"/g;
/** Tests are beside the code that they test. */
const SOURCE = /(?<!\.test|\.d)\.tsx?$/;

/**
 * Builds the package that clients install: ES modules, the command line `svc`, their types and a `package.json` that names both.
 *
 * @param {{ rootDir: string, outDir: string }} options `rootDir` is the folder that holds `sdk/`; `outDir` is relative to
 *   it or absolute, and is made when missing.
 * @returns {Promise<{ outDir: string }>} the absolute path of the folder, ready for `npm install <folder>`.
 * @throws esbuild's BuildFailure when a source does not compile, an Error with the compiler's output when there are type errors.
 */
export async function buildSdk({ rootDir, outDir }) {
  const sources = path.join(rootDir, "sdk");
  const target = path.resolve(rootDir, outDir);
  const given = JSON.parse(readFileSync(path.join(sources, "package.json"), "utf8"));
  const files = readdirSync(sources, { recursive: true }).filter((name) => SOURCE.test(name));
  const entries = files.map((name) => path.join(sources, name));
  removeBuilt(target, given.name);
  mkdirSync(target, { recursive: true });
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
  await writeTypes({ sources, target, entries });
  for (const file of files.flatMap(outputsOf)) {
    const at = path.join(target, file);
    // Node's resolution requires the extension that the sources omit.
    writeFileSync(at, readFileSync(at, "utf8").replace(RELATIVE, '$1"$2.js"'));
  }
  const bin = Object.fromEntries(Object.entries(given.bin).map(([name, source]) => [name, outputsOf(source)[0]]));
  for (const program of Object.values(bin)) chmodSync(path.join(target, program), 0o755);
  const built = { ...given, bin, exports: Object.fromEntries(Object.entries(given.exports).map(doorOf)) };
  writeFileSync(path.join(target, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
  copyFileSync(path.join(sources, "README.md"), path.join(target, "README.md"));
  return { outDir: target };
}

/** Removes an earlier build, so that its files are not packed; a folder with other content is left unchanged. */
function removeBuilt(target, name) {
  const manifest = path.join(target, "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === name) {
    rmSync(target, { recursive: true });
  }
}

const outputsOf = (source) => [".js", ".d.ts"].map((ending) => source.replace(SOURCE, ending));

function doorOf([name, source]) {
  const [script, types] = outputsOf(source);
  return [name, { types, default: script }];
}

async function writeTypes({ sources, target, entries }) {
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const options = {
    ...{ ignoreConfig: true, declaration: true, emitDeclarationOnly: true, strict: true, skipLibCheck: true },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ target: TARGET, module: "esnext", moduleResolution: "bundler", jsx: "react-jsx" },
    ...{ lib: "ES2023,DOM,DOM.Iterable", types: "react,node", rootDir: sources, outDir: target },
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const rootDir = path.resolve(import.meta.dirname, "..");
  const { outDir } = await buildSdk({ rootDir, outDir: ".build/sdk" });
  process.stdout.write(`${outDir}\n`);
}
