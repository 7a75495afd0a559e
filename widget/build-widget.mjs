import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { minify } from "@swc/core";
import { build, transform } from "esbuild";
import { widgetVersion } from "./widget-version.mjs";

/** Browsers that support `?.`, `??` and `||=` (2020). */
const TARGET = "es2021";
/** Internal fields, which can be renamed: no page, server or browser uses them. */
const OWN_FIELDS = /^(host|lastRequest|lastUrl|overrides|parts|request|share|show|slot|stop|total|version)$/;

/**
 * Bundles the script tag into one classic script that runs on any page: an IIFE, minified, its style sheet inside.
 *
 * @param {{ rootDir: string, outFile: string }} options `rootDir` is the folder that holds `widget/`; `outFile`, the
 *   file to write, is relative to it or absolute. Its folder is made when missing.
 * @returns {Promise<{ outFile: string, version: { path: string, integrity: string } }>} the absolute path of the file, and the path and hash with which a page pins this version. A JSON file beside it contains the same.
 * @throws esbuild's BuildFailure when a source does not compile.
 */
export async function buildWidget({ rootDir, outFile }) {
  const target = path.resolve(rootDir, outFile);
  const sheet = readFileSync(path.resolve(rootDir, "widget/widget.css"), "utf8");
  const { code } = await transform(sheet, { loader: "css", minify: true });
  const { outputFiles } = await build({
    entryPoints: [path.resolve(rootDir, "widget/main.ts")],
    write: false,
    bundle: true,
    format: "esm",
    target: TARGET,
    charset: "utf8",
    logLevel: "silent",
    define: { WIDGET_CSS: JSON.stringify(shorter(code)) },
    mangleProps: OWN_FIELDS,
    // Ignores the project's tsconfig.json, which is for Next and the server.
    tsconfigRaw: {},
  });
  // SWC's output is 5 % smaller than that of esbuild's minifier.
  const bundle = Buffer.from(outputFiles[0].contents).toString();
  const script = await minify(bundle, {
    module: true,
    compress: { ecma: 2021, passes: 5 },
    mangle: { toplevel: true },
  });
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `(()=>{${script.code}})();\n`);
  const version = widgetVersion(readFileSync(target));
  writeFileSync(target.replace(/\.js$/, ".json"), `${JSON.stringify(version)}\n`);
  return { outFile: target, version };
}

/** Removes what esbuild leaves in a style sheet: spaces after commas, and optional quotes in attribute selectors. */
const shorter = (css) =>
  css
    .trim()
    .replaceAll(", ", ",")
    .replace(/="([a-z]+)"\]/g, "=$1]");
