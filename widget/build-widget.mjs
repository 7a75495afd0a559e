import path from "node:path";
import { build } from "esbuild";

/**
 * Bundles the script tag into one classic script that runs on any page: an IIFE, ES2019, minified.
 *
 * @param {{ rootDir: string, outFile: string }} options `rootDir` is the folder that holds `widget/`; `outFile`, the
 *   file to write, is relative to it or absolute. Its folder is made when missing.
 * @returns {Promise<{ outFile: string }>} the absolute path of the file written.
 * @throws esbuild's BuildFailure when a source does not compile.
 */
export async function buildWidget({ rootDir, outFile }) {
  const target = path.resolve(rootDir, outFile);
  await build({
    entryPoints: [path.resolve(rootDir, "widget/main.ts")],
    outfile: target,
    bundle: true,
    format: "iife",
    target: "es2019",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    logLevel: "silent",
    // The project's own settings are for Next and the server; the widget needs none of them.
    tsconfigRaw: {},
  });
  return { outFile: target };
}
