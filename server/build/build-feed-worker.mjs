import path from "node:path";
import { build } from "esbuild";

/**
 * Bundles the worker thread of an import with its parsers into one file, so that tests and production run the same
 * code.
 */
export async function buildFeedWorker({ outFile }) {
  await build({
    entryPoints: [path.join(import.meta.dirname, "../ads/products/feed-worker.ts")],
    outfile: outFile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    logLevel: "warning",
  });
}
