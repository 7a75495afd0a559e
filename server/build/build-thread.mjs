import path from "node:path";
import { build } from "esbuild";

/** The entry of each worker thread that is one file, below server/. */
const ENTRIES = {
  "feed-worker": "ads/products/feed-worker.ts",
  "otlp-worker": "cloud/obs/ingest/otlp-worker.ts",
  "scan-worker": "cloud/shield/scans/scan-worker.ts",
  "tensor-worker": "cloud/data/models/tensor-worker.ts",
};

/** Bundles a worker thread with its packages into one file, so that tests and production run the same code. */
export async function buildThread({ name, outFile }) {
  await build({
    entryPoints: [path.join(import.meta.dirname, "..", ENTRIES[name])],
    outfile: outFile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    logLevel: "warning",
  });
}
