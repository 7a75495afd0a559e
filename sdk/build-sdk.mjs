import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const TARGET = "es2022";
const RELATIVE = /(from )"(\.{1,2}\/[^"]+)"/g;
/** Tests lie beside what they test. */
const SOURCE = /(?<!\.test|\.d)\.tsx?$/;

/**
 * Builds the package that publishers install: ES modules, their types and a `package.json` that names both.
 *
 * @param {{ rootDir: string, outDir: string }} options `rootDir` is the folder that holds `sdk/`; `outDir` is relative to
 *   it or absolute, and is made when missing.
 * @returns {Promise<{ outDir: string }>} the absolute path of the folder, ready for `npm install <folder>`.
 * @throws esbuild's BuildFailure when a source does not compile, an Error with the compiler's words when types do not fit.
 */
export async function buildSdk({ rootDir, outDir }) {
  const sources = path.join(rootDir, "sdk");
  const target = path.resolve(rootDir, outDir);
  const given = JSON.parse(readFileSync(path.join(sources, "package.json"), "utf8"));
  const files = readdirSync(sources, { recursive: true }).filter((name) => SOURCE.test(name));
  const entries = files.map((name) => path.join(sources, name));
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
    // Node's own resolution wants the extension that the sources leave out.
    writeFileSync(at, readFileSync(at, "utf8").replace(RELATIVE, '$1"$2.js"'));
  }
  const built = { ...given, exports: Object.fromEntries(Object.entries(given.exports).map(doorOf)) };
  writeFileSync(path.join(target, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
  copyFileSync(path.join(sources, "README.md"), path.join(target, "README.md"));
  return { outDir: target };
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
    ...{ lib: "ES2023,DOM,DOM.Iterable", types: "react", rootDir: sources, outDir: target },
  };
  await run([
    compiler,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...entries,
  ]);
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
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
