import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import type { Pool } from "pg";
import { createObjects } from "../../server/cloud/data/objects/create-objects";
import type { BucketRef, ListOptions, Objects } from "../../server/cloud/data/objects/objects";
import { openBlobStore } from "../../server/engines/objects/open-blob-store";
import { connectPostgres } from "../../server/engines/postgres/connect-postgres";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import { startPostgres } from "../../server/engines/postgres/start-postgres";
import { systemClock } from "../../server/kernel/clock";
import { timed } from "./queue-figures";
import { seededRandom } from "./seeded-random";

const rootDir = process.cwd();
const bucket: BucketRef = { id: "bkt_bench", tenantId: "ten_bench", versioning: "off" };
const PAGE = 1000;
const WARM_UP_PAGES = 20;

/**
 * Pages of ListObjectsV2 over a million keys, beside the plain statement that reads a thousand rows of them in order.
 * SVC_BENCH_KEYS: the number of keys (default 1,000,000); SVC_BENCH_PAGES: pages a row (default 300).
 */
export async function run(print: (line: string) => void): Promise<void> {
  const keys = Number(process.env.SVC_BENCH_KEYS ?? 1_000_000);
  const pages = Number(process.env.SVC_BENCH_PAGES ?? 300);
  print(`lists of objects: ${keys} keys, pages of ${PAGE}, ${pages} pages a row, ${cpus().length} cores,`);
  print(`Node ${process.version}, one caller, in one process beside the embedded PostgreSQL\n`);
  const dir = await mkdtemp(path.join(tmpdir(), "svc-object-list-"));
  const postgres = await startPostgres({ rootDir, dataDir: dir });
  const { sql, db, close } = connectPostgres(postgres.url);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  try {
    await deployMigrations(postgres.url, rootDir);
    await insertKeys(sql, keys);
    // As autovacuum does some minutes after so many inserts; it would run during the first rows.
    await sql.query("VACUUM ANALYZE object_versions");
    const blobs = await openBlobStore({ dataDir: dir, objectsDiskShare: 1 });
    const objects = createObjects({ sql, db, clock: systemClock, blobs, log });
    const folders = Math.ceil(keys / 250);
    const at = (n: number) => folderOf(Math.floor(n * (folders - 4)));
    const rows: [string, (n: number) => Promise<number>][] = [
      ["peer: SELECT of 1,000 rows in order", (n) => plainRows(sql, at(n))],
      ["no delimiter", (n) => list(objects, { after: at(n) })],
      ["no delimiter, with a prefix", (n) => list(objects, { prefix: "photos/", after: at(n) })],
      [
        "delimiter, 1,000 common prefixes",
        (n) =>
          list(objects, {
            prefix: "photos/",
            delimiter: "/",
            after: folderOf(Math.floor(n * Math.max(0, folders - PAGE - 4))),
          }),
      ],
      ["delimiter, 250 keys of one prefix", (n) => list(objects, { prefix: at(n), delimiter: "/" })],
      ["delimiter that no key has", (n) => list(objects, { delimiter: "|", after: at(n) })],
    ];
    print(
      "what                                 | entries |   p50 ms |   p99 ms | CPU ms a page, both processes | ratio of CPU",
    );
    let peer: number | undefined;
    for (const [what, page] of rows) {
      await measure(page, WARM_UP_PAGES);
      const { entries, p50, p99, cpuMs } = await measure(page, pages);
      peer ??= cpuMs;
      const figures = [p50, p99, cpuMs].map((ms) => ms.toFixed(1).padStart(8)).join(" | ");
      print(
        `${what.padEnd(36)} | ${`${entries}`.padStart(7)} | ${figures}${" ".repeat(21)} | ${(cpuMs / peer).toFixed(2)}`,
      );
    }
    await objects.stop();
  } finally {
    await close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

const folderOf = (n: number): string => `photos/${n.toString().padStart(6, "0")}/`;

/** 250 keys in each folder, in the order of a hash: neighbours in a list are not neighbours in the table. */
async function insertKeys(sql: Pool, count: number): Promise<void> {
  for (let from = 0; from < count; from += 100_000) {
    await sql.query(
      `INSERT INTO object_versions (id, tenant_id, bucket_id, key, rank, version_id, is_latest, is_delete_marker, size,
         etag, last_modified, content_type, headers, user_metadata, checksums, checksum_type)
       SELECT 'ver_' || lpad(to_hex(n), 26, '0'), $1, $2,
         'photos/' || lpad((n / 250)::text, 6, '0') || '/image-' || lpad((n % 250)::text, 4, '0') || '.jpg',
         -1, 'null', true, false, 1000, md5(n::text), now(), 'image/jpeg', '{}', '{}', '{}', 'FULL_OBJECT'
       FROM generate_series($3::bigint, $4::bigint) AS n ORDER BY md5(n::text)`,
      [bucket.tenantId, bucket.id, from, Math.min(count, from + 100_000) - 1],
    );
  }
}

async function list(objects: Objects, options: Omit<ListOptions, "limit">): Promise<number> {
  const page = await objects.list(bucket, { ...options, limit: PAGE });
  return page.objects.length + page.prefixes.length;
}

async function plainRows(sql: Pool, after: string): Promise<number> {
  const { rows } = await sql.query(
    `SELECT key, size, etag, last_modified, content_type FROM object_versions
     WHERE bucket_id = $1 AND is_latest AND NOT is_delete_marker AND key > $2 ORDER BY key LIMIT ${PAGE}`,
    [bucket.id, after],
  );
  return rows.length;
}

async function measure(page: (n: number) => Promise<number>, count: number) {
  const random = seededRandom(1);
  const times: number[] = [];
  let entries = 0;
  const { cpuMs } = await timed(async () => {
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      entries = await page(random());
      times.push(performance.now() - start);
    }
    return count;
  });
  times.sort((a, b) => a - b);
  const share = (of: number) => times[Math.floor((times.length - 1) * of)] ?? 0;
  return { entries, p50: share(0.5), p99: share(0.99), cpuMs: cpuMs / count };
}
