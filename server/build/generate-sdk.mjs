// Writes what the SDK, the command line and the forms of pages know of the endpoints. It runs in a process of its own, so
// that the server that starts after the build does not load its modules twice.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const rootDir = path.resolve(import.meta.dirname, "../..");
// Two processes may build at the same time, and neither may load what the other has half written.
const bundle = path.join(rootDir, `.build/sdk-files-${process.pid}.mjs`);
await build({
  stdin: {
    contents: 'export { sdkFiles } from "./sdk-files"; export { inputFiles } from "./input-files";',
    resolveDir: path.join(rootDir, "server/build/sdk"),
  },
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "silent",
  tsconfigRaw: {},
});
try {
  const { sdkFiles, inputFiles } = await import(pathToFileURL(bundle).href);
  write("sdk/generated", sdkFiles());
  write("app/generated/inputs", inputFiles());
} finally {
  rmSync(bundle, { force: true });
}

function write(folder, files) {
  const outDir = path.join(rootDir, folder);
  mkdirSync(outDir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(outDir, name), text);
  // Those of operations that no longer exist.
  for (const name of readdirSync(outDir)) if (!(name in files)) rmSync(path.join(outDir, name), { force: true });
}
