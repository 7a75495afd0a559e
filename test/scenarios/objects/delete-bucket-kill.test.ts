import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { DELETE_BUCKETS_EVERY_MINUTE } from "../../../server/cloud/data/buckets/delete-buckets";
import type { BucketRef, Objects } from "../../../server/cloud/data/objects/objects";
import { setQuota } from "../../../server/identity/quotas/set-quota";
import { testApp } from "../../factories/app";
import { bodyOf, contentOf, PLAIN } from "../../factories/objects";
import { openForFile } from "../../factories/open-for-file";
import { sampled } from "../../factories/sampled";
import { type StorageClient, storageTenant } from "../../factories/storage";
import { testProgram } from "../../factories/test-program";
import type { DeletionSettings } from "./deletion-process";
import type { Death } from "./dying-steps";
import { contentFor, partsFor } from "./object-content";

const KEYS = Array.from({ length: 40 }, (_, i) => `folder-${i % 4}/key-${i}`);
const MOMENTS = ["before", "during", "after"];
const VERSIONS = "DELETE FROM object_versions";
const UPLOADS = "DELETE FROM object_uploads";
const BUCKET = 'DELETE FROM "public"."buckets"';
/** In the order in which a deletion comes by them; the last one may be through when the process dies. */
const ALL_DEATHS: Death[] = [
  { step: VERSIONS, pass: 2, moment: "during" },
  ...MOMENTS.map((moment) => ({ step: "COMMIT", pass: 2, moment })),
  { step: UPLOADS, pass: 1, moment: "during" },
  ...["before", "after"].map((moment) => ({ step: BUCKET, pass: 1, moment })),
  { step: "COMMIT", pass: 1, moment: "during", since: BUCKET },
];
const DEATHS = sampled(ALL_DEATHS, 4);
/** Later than the blobs of deleted objects stay for reads and backups. */
const REMOVED_MS = 2 * 3_600_000;

let client: StorageClient;
let tenantId: string;
const children = new Set<ChildProcess>();
// No worker of its own: the processes of the test run the jobs.
const test = await openForFile(testApp({ env: { ROLE: "web" } }));
const tenant = await storageTenant(test);
({ client } = tenant);
({ tenantId } = tenant.ctx);
const program = await testProgram(path.join(import.meta.dirname, "deletion-process.ts"));
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
});

function start(settings: Omit<DeletionSettings, "url" | "dataDir">): ChildProcess {
  const { connectionString: url = "" } = test.engines.sql.options;
  const all: DeletionSettings = { url, dataDir: test.config.dataDir, ...settings };
  const child = spawn(process.execPath, [program, JSON.stringify(all)], { stdio: ["ignore", "inherit", "inherit"] });
  children.add(child.once("exit", () => children.delete(child)));
  return child;
}

/** Runs a worker until it kills itself. */
async function runToDeath(settings: Omit<DeletionSettings, "url" | "dataDir">): Promise<void> {
  const [code, signal] = await once(start(settings), "exit");
  expect([settings.death, code, signal]).toEqual([settings.death, null, "SIGKILL"]);
}

/** Runs a worker until `isDone`, and kills it. */
async function runUntil(settings: Omit<DeletionSettings, "url" | "dataDir">, isDone: () => Promise<boolean>) {
  const child = start(settings);
  await expect.poll(isDone, { interval: 50, timeout: 120_000 }).toBe(true);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

const objects = (): Objects => test.app.cloud.objects;
const bucketOf = async (name: string): Promise<BucketRef> => {
  const { id, versioning } = await test.app.cloud.db.bucket.findUniqueOrThrow({ where: { name } });
  return { id, tenantId, versioning: versioning as BucketRef["versioning"] };
};

/** Objects, older versions, delete markers, a multipart object and a multipart upload that is not finished. */
async function fill(name: string): Promise<BucketRef> {
  await client.create(name, { versioning: "on" });
  const bucket = await bucketOf(name);
  const put = (key: string, version: number) =>
    objects().put(bucket, { key, ...PLAIN, body: bodyOf(contentFor(key, version)) });
  await Promise.all(KEYS.map((key) => put(key, 1)));
  await Promise.all(KEYS.slice(0, 8).map((key) => put(key, 2)));
  await objects().delete(
    bucket,
    KEYS.slice(8, 12).map((key) => ({ key })),
  );
  for (const key of ["multipart", "unfinished"]) {
    const upload = await objects().createUpload(bucket, { key, properties: PLAIN });
    const parts = [];
    for (const [i, bytes] of partsFor(key, 1).entries()) {
      const part = { key, uploadId: upload.uploadId, number: i + 1, body: bodyOf(bytes) };
      parts.push(await objects().putPart(bucket, part));
    }
    if (key === "multipart") await objects().completeUpload(bucket, { ...upload, parts });
  }
  return bucket;
}

interface Figures {
  objects: number;
  versions: number;
  bytes: number;
}

/** What the rows of a bucket say, beside what is counted. */
async function figuresOf({ id }: BucketRef): Promise<{ counted: Figures; summed: Figures } | undefined> {
  const { rows } = await test.engines.sql.query(
    `SELECT json_build_object('objects', objects, 'versions', versions, 'bytes', bytes) AS counted,
       (SELECT json_build_object('objects', count(*) FILTER (WHERE is_latest AND NOT is_delete_marker),
          'versions', count(*) FILTER (WHERE NOT is_delete_marker),
          'bytes', coalesce(sum(size), 0) + (SELECT coalesce(sum(p.size), 0) FROM object_parts p
             JOIN object_uploads u ON u.id = p.upload_id WHERE u.bucket_id = $1))
        FROM object_versions WHERE bucket_id = $1) AS summed
     FROM buckets WHERE id = $1`,
    [id],
  );
  return rows[0];
}

/** Versions and unfinished uploads; completed uploads are remembered for a day. */
async function rowsOf({ id }: BucketRef): Promise<number> {
  const { rows } = await test.engines.sql.query(
    `SELECT (SELECT count(*) FROM object_versions WHERE bucket_id = $1)
       + (SELECT count(*) FROM object_uploads WHERE bucket_id = $1 AND completed IS NULL) AS n`,
    [id],
  );
  return Number(rows[0].n);
}

const filesOf = ({ id }: BucketRef): string[] =>
  readdirSync(test.config.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && path.join(entry.parentPath, entry.name).includes(id))
    .map(({ name }) => name);

const recorded = async (sql: string): Promise<number> =>
  Number((await test.engines.sql.query(`SELECT count(*) AS n FROM ${sql}`, [tenantId])).rows[0].n);

async function assertWhole(bucket: BucketRef): Promise<void> {
  for (const [i, key] of KEYS.entries()) {
    if (i >= 8 && i < 12) continue;
    const { open } = await objects().read(bucket, { key });
    expect((await contentOf(open())).equals(contentFor(key, i < 8 ? 2 : 1)), key).toBe(true);
  }
  const { open } = await objects().read(bucket, { key: "multipart" });
  expect((await contentOf(open())).equals(Buffer.concat(partsFor("multipart", 1)))).toBe(true);
  expect(await objects().listUploads(bucket, { limit: 10 })).toMatchObject({ uploads: [{ key: "unfinished" }] });
}

it("a forced deletion goes on after kill -9 at any moment: usage is right, nothing stays, and no other bucket is touched", async () => {
  const [doomed, kept] = [await fill("doomed"), await fill("kept")];
  const before = await figuresOf(kept);
  expect(before?.counted).toEqual(before?.summed);
  const { bytes, versions } = before?.counted ?? { bytes: 0, versions: 0 };
  await setQuota(test.app.account, { tenant_id: tenantId, resource: "storage_bytes", limit: 2 * bytes + 10 });
  await setQuota(test.app.account, { tenant_id: tenantId, resource: "storage_objects", limit: 2 * versions + 10 });
  const putBytes = (size: number) => objects().put(kept, { key: "filler", ...PLAIN, body: bodyOf(Buffer.alloc(size)) });
  await expect(putBytes(11)).rejects.toMatchObject({ code: "quota_exceeded" });
  const begun = await client.call("/buckets/doomed?force=true", { method: "DELETE" });
  expect([begun.status, begun.body.deletion?.total]).toEqual([202, versions]);

  for (const death of DEATHS) {
    await runToDeath({ task: "delete_buckets", death });
    const figures = await figuresOf(doomed);
    expect([death, figures?.counted]).toEqual([death, figures?.summed]);
    expect([death, await figuresOf(kept)]).toEqual([death, before]);
    const { status, body } = await client.call("/buckets/doomed");
    if (death !== DEATHS.at(-1)) expect([death, status]).toEqual([death, 200]);
    if (status !== 200) continue;
    expect([death, (body.deletion?.deleted ?? 0) + body.usage.versions]).toEqual([death, versions]);
    await expect(client.put("doomed", "new")).rejects.toMatchObject({ details: { reason: "no_such_bucket" } });
  }
  const isGone = async () => (await client.call("/buckets/doomed")).status === 404;
  await runUntil({ task: "delete_buckets" }, isGone);
  // The processes above add the task several times a second; svc adds it every minute.
  expect(Object.keys(DELETE_BUCKETS_EVERY_MINUTE)).toContain("delete_buckets");
  expect((await client.call<{ data: { name: string }[] }>("/buckets")).body.data.map(({ name }) => name)).toEqual([
    "kept",
  ]);
  expect(await rowsOf(doomed)).toBe(0);
  expect(await recorded("audit_entries WHERE tenant_id = $1 AND action = 'bucket.deleted'")).toBe(1);
  expect(await recorded("events WHERE tenant_id = $1 AND type = 'bucket.deleted'")).toBe(1);

  expect(filesOf(doomed)).toHaveLength(versions + 3);
  for (const moment of ["during", "after"]) {
    const death = { step: "blobs removed", pass: 1, moment };
    await runToDeath({ task: "remove_object_blobs", aheadMs: REMOVED_MS, death });
  }
  const isRemoved = async () => filesOf(doomed).length === 0;
  await runUntil({ task: "remove_object_blobs", aheadMs: REMOVED_MS }, isRemoved);

  await assertWhole(kept);
  expect(await figuresOf(kept)).toEqual(before);
  await expect(putBytes(bytes + 11)).rejects.toMatchObject({ code: "quota_exceeded" });
  await putBytes(bytes + 10);
}, 300_000);
