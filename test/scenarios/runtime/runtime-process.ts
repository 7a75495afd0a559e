// Ensures a workload on the runtime of a data directory, prints `ensuring` and then `ensured`, and waits to be killed.
//   node runtime-process.mjs <root dir> <data dir> <allocation as JSON>
import { startRuntime } from "../../../server/engines/start-runtime";

const [rootDir = "", dataDir = "", allocation = ""] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined };
const started = startRuntime({ rootDir, dataDir, policy: { allowsLoopback: true, ownHosts: [] }, log });
const { runtime } = await started.choice();
process.stdout.write("ensuring\n");
await runtime?.ensure(JSON.parse(allocation));
process.stdout.write("ensured\n");
setInterval(() => undefined, 60_000);
