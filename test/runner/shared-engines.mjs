import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createViteServer } from "vitest/node";

/** A file with what the global setup of one run gives to the others. */
const ENGINES = "SVC_TEST_ENGINES";

/** Starts the engines of a run for all runs of vitest that this process starts; resolves to how they are stopped. */
export async function startEngines({ rootDir }) {
  const loader = await createViteServer({
    root: rootDir,
    configFile: false,
    appType: "custom",
    logLevel: "error",
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const provided = {};
  const { setup } = await loader.ssrLoadModule(path.join(rootDir, "test/setup-engines.ts"));
  const stop = await setup({
    provide: (name, value) => {
      provided[name] = value;
    },
  });
  const file = path.join(process.env.SVC_TEST_RUN, "engines.json");
  writeFileSync(file, JSON.stringify(provided), { mode: 0o600 });
  process.env[ENGINES] = file;
  return async () => {
    delete process.env[ENGINES];
    rmSync(file);
    await stop();
    await loader.close();
  };
}

/** What `startEngines` of the process that started this run gives; undefined if there is none. */
export function sharedEngines() {
  const file = process.env[ENGINES];
  return file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));
}
