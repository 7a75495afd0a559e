// Writes what the SDK and the command line know of the endpoints to the folder of its argument. It runs in a process of its
// own, so that the server that starts after the build does not load its modules twice.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const rootDir = path.resolve(import.meta.dirname, "../..");
const [outDir = path.join(rootDir, "sdk/generated")] = process.argv.slice(2);
// Two processes may build at the same time, and neither may load what the other has half written.
const bundle = path.join(rootDir, `.build/sdk-files-${process.pid}.mjs`);
await build({
  entryPoints: [path.join(rootDir, "server/build/sdk/sdk-files.ts")],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "silent",
  tsconfigRaw: {},
});
try {
  const { sdkFiles } = await import(pathToFileURL(bundle).href);
  mkdirSync(outDir, { recursive: true });
  for (const [name, text] of Object.entries(sdkFiles())) writeFileSync(path.join(outDir, name), text);
} finally {
  rmSync(bundle, { force: true });
}
