import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { createObjects } from "../../server/cloud/data/objects/create-objects";
import type { Objects } from "../../server/cloud/data/objects/objects";
import { type RunScan, runScan } from "../../server/cloud/shield/scans/run-scan";
import { ScanThread } from "../../server/cloud/shield/scans/scan-thread";
import { openBlobStore } from "../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import type { Bucket, PrismaClient } from "../../server/engines/postgres/generated/client";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { SECRET_FORMATS } from "../../server/guard/detectors/secret-formats";
import { systemClock } from "../../server/kernel/clock";
import { seededRandom } from "./seeded-random";

const rootDir = process.cwd();
const MIB = 1024 ** 2;
const OBJECT_MIB = 4;
/** The peer is slow; it gets a part of the objects. */
const PEER_OBJECTS = 4;

/**
 * A scan of a bucket with made logs, JSON and CSV, first and again without changes, beside reading the same objects, and
 * beside one regular expression of Node per format of secrets. SVC_BENCH_MIB: the size of the bucket (default 1024).
 */
export async function run(print: (line: string) => void): Promise<void> {
  const mib = Number(process.env.SVC_BENCH_MIB ?? 1024);
  print(`scan of ${mib} MiB in objects of ${OBJECT_MIB} MiB, ${cpus().length} cores, Node ${process.version},`);
  print("one thread that searches, beside the process that reads files of the embedded store\n");
  const dir = await mkdtemp(path.join(tmpdir(), "svc-shield-"));
  const postgres = await startPostgres({ rootDir, dataDir: dir });
  const { sql, db, close } = connectPostgres(postgres.url);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  try {
    await deployMigrations(postgres.url, rootDir);
    const blobs = await openBlobStore({ dataDir: dir, objectsDiskShare: 1 });
    const objects = createObjects({ sql, db, clock: systemClock, blobs, log });
    const bucket = await filledBucket(db, objects, Math.ceil(mib / OBJECT_MIB));
    const worker = path.join(import.meta.dirname, "scan-worker.mjs");
    const openThread = () => new ScanThread(worker, Buffer.alloc(32));
    const scan = () => scanOnce({ db, sql, clock: systemClock, objects, openThread, log }, bucket);
    const rows: [string, () => Promise<Measured>][] = [
      ["reading", () => readAll(objects, bucket)],
      [`peer: ${SECRET_FORMATS.length} expressions of Node`, () => expressions(objects, bucket)],
      ["first scan", scan],
      ["second scan, nothing changed", scan],
    ];
    print("what                              | seconds |   CPU s |   MiB/s | MiB per CPU s | findings");
    for (const [what, work] of rows) {
      const [start, cpu] = [performance.now(), process.cpuUsage()];
      const { bytes, findings } = await work();
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      // Of this process with its thread, whatever else the machine does.
      const cpuSeconds = (user + system) / 1e6;
      const figures = [seconds, cpuSeconds].map((one) => one.toFixed(1).padStart(7)).join(" | ");
      const rates = [bytes / MIB / seconds, bytes / MIB / cpuSeconds].map((one) => one.toFixed(0));
      print(
        `${what.padEnd(33)} | ${figures} | ${rates[0]?.padStart(7)} | ${rates[1]?.padStart(13)} | ${findings ?? ""}`,
      );
    }
    await objects.stop();
  } finally {
    await close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Measured {
  bytes: number;
  findings?: number;
}

async function filledBucket(db: PrismaClient, objects: Objects, count: number): Promise<Bucket> {
  const now = new Date();
  const owner = { tenantId: "ten_bench", projectId: "prj_bench", mode: "test" as const };
  const bucket = await db.bucket.create({
    data: { ...owner, id: "bkt_bench", name: "bench", createdAt: now, updatedAt: now },
  });
  await db.tenant.create({ data: { id: owner.tenantId, name: "bench", createdAt: now } });
  const random = seededRandom(7);
  for (let i = 0; i < count; i++) {
    const body = { stream: one(madeText(random)) };
    const key = `made/${String(i).padStart(6, "0")}`;
    await objects.put(bucket, { key, contentType: "text/plain", headers: {}, userMetadata: {}, body });
  }
  return bucket;
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Lines as services write them; one in 2,000 has a value that a rule finds. */
function madeText(random: () => number): Buffer {
  const bytes = Buffer.alloc(OBJECT_MIB * MIB, " ");
  const hex = () => Math.floor(random() * 2 ** 32).toString(16);
  const secret = () => `password="${hex()}!A${hex()}"`;
  for (let at = 0; at < bytes.length - 400; ) {
    const n = Math.floor(random() * 1e9);
    const kind = random();
    const line =
      kind < 0.4
        ? `2026-11-20T09:12:${n % 60}.${n % 1000}Z INFO [worker-${n % 16}] request ${hex()}-${hex()} GET /v1/items/${n}?page=2 200 ${n % 900} ms 10.0.${n % 250}.7`
        : kind < 0.7
          ? `{"id":"${hex()}${hex()}","name":"Item ${n}","tags":["shoes","red"],"price":${n / 100},"url":"https://shop.example/items/${n}"}`
          : `${n},${hex()},"A sentence about a product, with commas and words.",${n % 100},${(n % 10_000) / 100}`;
    at += bytes.write(`${line}\n`, at);
    if (random() < 0.0005) at += bytes.write(`${secret()}\n`, at);
  }
  return bytes;
}

async function* contents(objects: Objects, bucket: Bucket): AsyncIterable<AsyncIterable<Uint8Array>> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const page = await objects.list(bucket, { limit: 1000, ...(after !== "" && { after }) });
    for (const { key } of page.objects) yield (await objects.read(bucket, { key })).open();
    after = page.next;
  }
}

async function readAll(objects: Objects, bucket: Bucket): Promise<Measured> {
  let bytes = 0;
  for await (const content of contents(objects, bucket)) for await (const chunk of content) bytes += chunk.length;
  return { bytes };
}

async function expressions(objects: Objects, bucket: Bucket): Promise<Measured> {
  const patterns = SECRET_FORMATS.map(({ pattern }) => new RegExp(pattern, "g"));
  let [bytes, findings, left] = [0, 0, PEER_OBJECTS];
  for await (const content of contents(objects, bucket)) {
    if (left-- === 0) break;
    for await (const chunk of content) {
      bytes += chunk.length;
      const text = Buffer.from(chunk).toString("latin1");
      for (const pattern of patterns) findings += text.match(pattern)?.length ?? 0;
    }
  }
  return { bytes, findings };
}

async function scanOnce(ctx: RunScan, bucket: Bucket): Promise<Measured> {
  const id = `scn_${performance.now()}`;
  const { tenantId, projectId, mode, id: bucketId, name: bucketName } = bucket;
  await ctx.db.shieldScan.create({
    data: { id, tenantId, projectId, mode, bucketId, bucketName, prefix: "", createdAt: new Date() },
  });
  const never = new AbortController().signal;
  while ((await runScan(ctx, never)) && !(await ended(ctx, id)));
  const { bytes, findings } = await ctx.db.shieldScan.findUniqueOrThrow({ where: { id } });
  const counts = Object.values(findings as Record<string, number>);
  return { bytes: Number(bytes), findings: counts.reduce((sum, count) => sum + count, 0) };
}

const ended = async ({ db }: RunScan, id: string): Promise<boolean> =>
  (await db.shieldScan.findUniqueOrThrow({ where: { id } })).finishedAt !== null;
