// Runs the pods of a database on the runtime of a data directory, and waits to be killed.
//   node pods-process.mjs <root dir> <data dir> <database URL> <secret>
import { pino } from "pino";
import { startPods } from "../../../server/cloud/compute/pods/start-pods";
import { GpuPools } from "../../../server/cloud/compute/pools/pools";
import { DiskSpace } from "../../../server/engines/disk-space/disk-space";
import { openBlobStore } from "../../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../../server/engines/postgres/connect-postgres";
import { startAlarms } from "../../../server/engines/start-alarms";
import { startRuntime } from "../../../server/engines/start-runtime";
import { systemClock as clock } from "../../../server/kernel/clock";
import { deriveKey } from "../../../server/kernel/secrets";

const [rootDir = "", dataDir = "", url = "", secret = ""] = process.argv.slice(2);
const log = pino({ level: "warn" }, pino.destination(2));
const { db, sql } = connectPostgres(url);
const runtime = startRuntime({ rootDir, dataDir, policy: { allowsLoopback: true, ownHosts: [] }, log });
const keys = {
  secretsKey: deriveKey(secret, "secrets"),
  encryptionKey: deriveKey(secret, "encryption"),
  nodesKey: deriveKey(secret, "nodes"),
};
const alarms = startAlarms({ sql, clock, log });
const blobs = await openBlobStore({ dataDir });
const space = await DiskSpace.open({ dir: dataDir, log });
const pods = startPods({
  db,
  sql,
  clock,
  log,
  dataDir,
  runtime,
  ...keys,
  currency: "USD",
  publicUrl: "https://svc.example",
  alarms,
  blobs,
  space,
  gpuPools: new GpuPools(),
  listen: { host: "127.0.0.1", port: 0 },
  drivesNodes: true,
  storedBytes: { assertRoom: async () => undefined, count: () => undefined, take: async () => undefined },
});
await pods.runs.whenTried();
process.stdout.write("started\n");
