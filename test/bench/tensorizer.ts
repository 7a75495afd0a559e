import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createBucketTarget, openBucketSource } from "../../server/cloud/data/models/bucket-files";
import type { ModelSource, ModelTarget } from "../../server/cloud/data/models/conversion";
import { convertModel } from "../../server/cloud/data/models/convert-model";
import type { TargetDtype } from "../../server/cloud/data/models/dtypes";
import { createObjects } from "../../server/cloud/data/objects/create-objects";
import { openBlobStore } from "../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { systemClock } from "../../server/kernel/clock";
import { fileSource, folderTarget, type ModelDtype, makeModel } from "./model-files";

const rootDir = process.cwd();
const SHARDS = 4;
const SAMPLE_MS = 20;
const PAIRS: readonly [ModelDtype, TargetDtype][] = [
  ["F32", "f16"],
  ["F32", "bf16"],
  ["F32", "f32"],
  ["F16", "f32"],
  ["F16", "bf16"],
  ["BF16", "f32"],
  ["BF16", "f16"],
  ["F64", "f32"],
  ["F64", "f16"],
];
/** Reads a model with 8 + n bytes of header, converts its floats, hashes both and writes the result. */
const PYTHON = `
import sys, hashlib, numpy as np
source, target, kind = sys.argv[1:4]
read, wrote = hashlib.sha256(), hashlib.sha256()
with open(source, "rb") as f, open(target, "wb") as out:
    head = f.read(8); head += f.read(int.from_bytes(head, "little")); read.update(head)
    while block := f.read(1 << 20):
        read.update(block)
        done = np.frombuffer(block, dtype="<f4").astype("<f2" if kind == "f16" else "<f4").tobytes()
        wrote.update(done); out.write(done)
`;

type Print = (line: string) => void;

/**
 * Conversions of a model from file to files and from bucket to bucket, beside `cp` and SHA-256 of the same file, and
 * beside numpy where Python has it. SVC_BENCH_MIB: the size of the model (default 1024).
 */
export async function run(print: Print): Promise<void> {
  const mib = Number(process.env.SVC_BENCH_MIB ?? 1024);
  const dir = await mkdtemp(path.join(tmpdir(), "svc-bench-tensor-"));
  try {
    print(`a model of ${mib} MiB into ${SHARDS} shards, files in the page cache of ${tmpdir()},`);
    print(`${cpus().length} cores, Node ${process.version}; MB/s of the source\n`);
    print("what                                   | seconds |  MB/s |  CPU s | peak RSS MiB | of sha256 | of cp");
    await files({ dir, mib, print });
    await buckets({ dir, mib, print });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Bench {
  dir: string;
  mib: number;
  print: Print;
}

async function files({ dir, mib, print }: Bench): Promise<void> {
  let peers: Peers | undefined;
  const model = path.join(dir, "model");
  let made: ModelDtype | undefined;
  for (const [from, to] of PAIRS) {
    if (made !== from) await makeModel(model, { mib, dtype: from });
    made = from;
    const source = await fileSource(model);
    peers ??= await comparePeers({ dir, model, size: source.size, print });
    const row = (name: string, workerFile?: string) =>
      measured({ name, size: source.size, peers, print }, () => convert(source, folderTarget(dir), { to, workerFile }));
    await row(`file ${from} -> ${to}, own thread`, workerFile());
    if (from === "F32" && to !== "f32") await row(`file ${from} -> ${to}, caller's thread`);
  }
}

const workerFile = () => path.join(import.meta.dirname, "tensor-worker.mjs");

interface Peers {
  sha256: number;
  cp: number;
}

async function comparePeers(of: { dir: string; model: string; size: number; print: Print }): Promise<Peers> {
  const { dir, model, size, print } = of;
  const copy = path.join(dir, "copy");
  const sha256 = await measured({ name: "peer: node:crypto sha256", size, print }, async () => {
    const hash = createHash("sha256");
    for await (const chunk of (await fileSource(model)).read(0, size, new AbortController().signal)) hash.update(chunk);
    hash.digest();
  });
  const cp = await measured({ name: "peer: cp (copyFile)", size, print }, () => copyFile(model, copy));
  const python = promisify(execFile);
  const hasNumpy = await python("python3", ["-c", "import numpy"]).then(
    () => true,
    () => false,
  );
  if (!hasNumpy) print("peer: numpy is not installed, skipped");
  else {
    const name = "peer: numpy f32 -> f16, hashlib sha256";
    await measured({ name, size, peers: { sha256, cp }, print }, () =>
      python("python3", ["-c", PYTHON, model, copy, "f16"]),
    );
  }
  await rm(copy, { force: true });
  return { sha256, cp };
}

/** The same through the embedded object store, which verifies what it reads and syncs what it writes. */
async function buckets({ dir, mib, print }: Bench): Promise<void> {
  const postgres = await startPostgres({ rootDir, dataDir: dir });
  const { sql, db, close } = connectPostgres(postgres.url);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  try {
    await deployMigrations(postgres.url, rootDir);
    const blobs = await openBlobStore({ dataDir: dir, objectsDiskShare: 1 });
    const objects = createObjects({ sql, db, clock: systemClock, blobs, log });
    const now = new Date();
    const owner = { tenantId: "ten_bench", projectId: "prj_bench", mode: "test" as const };
    const bucket = await db.bucket.create({
      data: { ...owner, id: "bkt_bench", name: "bench", createdAt: now, updatedAt: now },
    });
    await db.tenant.create({ data: { id: owner.tenantId, name: "bench", createdAt: now } });
    const model = path.join(dir, "model");
    await makeModel(model, { mib, dtype: "F32" });
    const file = await fileSource(model);
    const body = { stream: file.read(0, file.size, new AbortController().signal), size: file.size };
    const properties = { contentType: "application/octet-stream", headers: {}, userMetadata: {} };
    await measured({ name: "peer: put of the model", size: file.size, print }, () =>
      objects.put(bucket, { key: "model", ...properties, body }),
    );
    const source = await openBucketSource(objects, { bucket, key: "model" });
    const target = createBucketTarget(objects, { bucket, prefix: "out/" });
    for (const to of ["f16", "bf16"] as const) {
      const options = { name: `bucket F32 -> ${to}, own thread`, size: file.size, print };
      await measured(options, () => convert(source, target, { to, workerFile: workerFile() }));
    }
    await objects.stop();
  } finally {
    await close();
    await postgres.stop();
  }
}

const convert = (
  source: ModelSource,
  target: ModelTarget,
  { to, workerFile: file }: { to: TargetDtype; workerFile: string | undefined },
) =>
  convertModel(
    { source, target, signal: new AbortController().signal, onProgress: async () => undefined, workerFile: file },
    { dtype: to, shards: SHARDS, sha256: undefined, bytesTotal: source.size, progress: undefined },
  );

interface Row {
  name: string;
  size: number;
  peers?: Peers | undefined;
  print: Print;
}

/** Prints a row and returns its MB/s. CPU and memory are those of this process with its threads. */
async function measured({ name, size, peers, print }: Row, work: () => Promise<unknown>): Promise<number> {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  const { user, system } = process.cpuUsage(cpu);
  const rate = size / 1e6 / seconds;
  const ratio = (of: number | undefined) => (of === undefined ? "" : (rate / of).toFixed(2));
  const cells = [
    name.padEnd(38),
    seconds.toFixed(2).padStart(7),
    rate.toFixed(0).padStart(5),
    ((user + system) / 1e6).toFixed(1).padStart(6),
    (peak / 1024 ** 2).toFixed(0).padStart(12),
    ratio(peers?.sha256).padStart(9),
    ratio(peers?.cp).padStart(5),
  ];
  print(cells.join(" | "));
  return rate;
}
