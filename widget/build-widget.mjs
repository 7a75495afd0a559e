import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { minify } from "@swc/core";
import { build, transform } from "esbuild";
import { widgetVersion } from "./widget-version.mjs";

/** Engines that know `?.`, `??` and `||=` (2020). */
const TARGET = "es2021";
/** Fields of our own objects that no page, server or browser knows by name. */
const OWN_FIELDS = /^(asked|failure|given|host|parts|place|request|reserve|show|slot|turn)$/;

/**
 * Bundles the script tag into one classic script that runs on any page: an IIFE, minified, its style sheet inside.
 *
 * @param {{ rootDir: string, outFile: string }} options `rootDir` is the folder that holds `widget/`; `outFile`, the
 *   file to write, is relative to it or absolute. Its folder is made when missing.
 * @returns {Promise<{ outFile: string, version: { path: string, integrity: string } }>} the absolute path of the file written, and what a page
 *   that wants exactly this version names. Beside the file stands the same as JSON, its name ending in `.json`.
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
    // The project's own settings are for Next and the server; the widget needs none of them.
    tsconfigRaw: {},
  });
  // SWC takes a twentieth more off than esbuild's own minifier.
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

/** What esbuild leaves in a sheet: spaces after commas, and quotes around attribute values that are plain words. */
const shorter = (css) =>
  css
    .trim()
    .replaceAll(", ", ",")
    .replace(/="([a-z]+)"\]/g, "=$1]");
