import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { bodyOf, contentOf, objectsTest, PLAIN, silentLog } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import { openBlobStore } from "../../../engines/objects/open-blob-store";
import { newId } from "../../../kernel/ids";
import { listUnknown } from "../../core/quarantine/list-unknown";
import { removeDueBlobs, removeOrphans, scrubObjects } from "./blob-sweeps";
import { ChangeCommits, REMOVAL_DELAY_MS } from "./commit-changes";
import { applyLifecycleRules, sweepUploads } from "./lifecycle-sweep";
import type { BucketRef } from "./objects";
import { OpenReadings } from "./open-readings";
import { blobsOf } from "./version-row";
import { readLatest } from "./versions.sql";

const DAY_MS = 86_400_000;

let errors: object[] = [];
const t = await openForFile(objectsTest());
const tenantId = await t.tenant();

const parts = () => ({
  sql: t.sql,
  clock: t.clock,
  blobs: t.blobs,
  stopping: new AbortController().signal,
  log: { ...silentLog, error: (fields: object) => void errors.push(fields) },
  commits: new ChangeCommits({ sql: t.sql, clock: t.clock }),
});
const put = (bucket: BucketRef, key: string, text = key) =>
  t.objects.put(bucket, { key, ...PLAIN, body: bodyOf(text) });
const storedOf = async (bucket: BucketRef) => (await t.stored()).filter((name) => name.includes(bucket.id));
const setRules = (bucket: BucketRef, rules: readonly object[]) =>
  t.db.bucket.update({ where: { id: bucket.id }, data: { lifecycleRules: rules as object[] } });
const keysOf = async (bucket: BucketRef) =>
  (await t.objects.list(bucket, { limit: 1000 })).objects.map(({ key }) => key);
const versionsOf = async (bucket: BucketRef) =>
  (await t.objects.listVersions(bucket, { limit: 1000 })).versions.map(
    ({ key, isDeleteMarker }) => `${key}${isDeleteMarker ? "!" : ""}`,
  );

describe("blobs that nothing refers to", () => {
  it("are removed after a while, by two processes at once", async () => {
    const bucket = await t.bucket(tenantId);
    for (const text of ["one", "two", "three"]) await put(bucket, "k", text);
    await removeDueBlobs(parts());
    expect(await storedOf(bucket)).toHaveLength(3);
    t.clock.advance(REMOVAL_DELAY_MS);
    const removed = await Promise.all([removeDueBlobs(parts()), removeDueBlobs(parts())]);
    expect(removed[0] + removed[1]).toBe(2);
    expect(await storedOf(bucket)).toHaveLength(1);
    expect((await contentOf((await t.objects.read(bucket, { key: "k" })).open())).toString()).toBe("three");
  });

  it("stay while they are being read", async () => {
    const bucket = await t.bucket(tenantId);
    await put(bucket, "k", "read");
    const readings = new OpenReadings({ ...parts(), log: silentLog });
    const name = (await storedOf(bucket))[0] ?? "";
    let isRead = false;
    const reading = readings.keep([name], async function* () {
      await put(bucket, "k", "new");
      t.clock.advance(REMOVAL_DELAY_MS / 2);
      await readings.postpone();
      t.clock.advance(REMOVAL_DELAY_MS / 2);
      await removeDueBlobs(parts());
      yield await storedOf(bucket);
    });
    for await (const names of reading) {
      expect(names).toContain(name);
      isRead = true;
    }
    expect(isRead).toBe(true);
    t.clock.advance(REMOVAL_DELAY_MS);
    await readings.postpone();
    await removeDueBlobs(parts());
    expect(await storedOf(bucket)).not.toContain(name);
    await readings.stop();
  });

  it("are found where a process died before its commit, and only those", async () => {
    const bucket = await t.bucket(tenantId);
    await put(bucket, "k");
    const upload = await t.objects.createUpload(bucket, { key: "u", properties: PLAIN });
    await t.objects.putPart(bucket, { ...upload, number: 1, body: bodyOf("part") });
    const kept = await storedOf(bucket);
    const orphans = [newId("ver", 1), newId("upl", 1), `${upload.uploadId}.1.zzzzzzzz`];
    for (const id of orphans) await t.blobs.put(`${tenantId}/${bucket.id}/${id}`, bodyOf("orphan").stream);
    const after = (days: number) => ({ now: () => new Date(Date.now() + days * DAY_MS) });
    const sweep = (days: number) => removeOrphans({ ...parts(), clock: after(days) });
    // They may be what was stored since the backup from which the database was restored, however long ago that was.
    expect([await sweep(30), await sweep(36.9)]).toEqual([0, 0]);
    expect(await listUnknown(t)).toMatchObject([{ node: "object storage", what: "3 blobs", kind: "blobs" }]);
    expect(await sweep(37.1)).toBe(3);
    expect(await storedOf(bucket)).toEqual(kept);
    expect(await listUnknown(t)).toEqual([]);
  });

  it("begin their 7 days again when a newer backup, which has them, was restored meanwhile", async () => {
    const bucket = await t.bucket(await t.tenant());
    await put(bucket, "restored");
    const [name = ""] = await storedOf(bucket);
    const sweep = (days: number) =>
      removeOrphans({ ...parts(), clock: { now: () => new Date(Date.now() + days * DAY_MS) } });
    const { rows } = await t.sql.query("SELECT to_jsonb(v) AS row FROM object_versions v WHERE bucket_id = $1", [
      bucket.id,
    ]);
    const forget = () => t.sql.query("DELETE FROM object_versions WHERE bucket_id = $1", [bucket.id]);
    const restore = () =>
      t.sql.query("INSERT INTO object_versions SELECT * FROM jsonb_populate_record(NULL::object_versions, $1)", [
        rows[0]?.row,
      ]);
    await forget();
    expect(await sweep(1)).toBe(0);
    await restore();
    expect(await sweep(5)).toBe(0);
    await forget();
    expect([await sweep(9), await sweep(15)]).toEqual([0, 0]);
    expect(await storedOf(bucket)).toEqual([name]);
    expect(await sweep(16.1)).toBe(1);
    expect(await storedOf(bucket)).toEqual([]);
  });

  it("are reported when an object has lost its own, and not when they are whole", async () => {
    const bucket = await t.bucket(tenantId);
    await put(bucket, "lost");
    const row = await readLatest(t.sql, { bucketId: bucket.id, key: "lost" });
    const [{ name } = { name: "" }] = row ? blobsOf(row) : [];
    await t.blobs.remove([name]);
    const counts = { ok: 0, lost: 0 };
    errors = [];
    // One byte for a run: it goes on where it ended.
    for (let i = 0; i < 50 && counts.lost === 0; i++) await scrubObjects(parts(), counts, { runBytes: 1 });
    expect(counts.ok).toBeGreaterThan(0);
    expect(errors).toEqual([{ blob: name, state: "missing" }]);
    await t.objects.delete(bucket, [{ key: "lost" }]);
  });

  it("are not read for that from an external store, which bills each byte", async () => {
    await put(await t.bucket(tenantId), "billed");
    const requests: string[] = [];
    const network = createServer(({ url = "" }, response) => {
      requests.push(url);
      response.writeHead(404).end();
    });
    await once(network.listen(0, "127.0.0.1"), "listening");
    const endpoint = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
    const keys = { accessKeyId: "id", secretAccessKey: "secret" };
    const s3 = { endpoint, region: "us-east-1", bucket: "b", ...keys, forcePathStyle: true };
    const blobs = await openBlobStore({ dataDir: t.dataDir, s3 });
    const counts = { ok: 0, lost: 0 };
    await scrubObjects({ ...parts(), blobs }, counts);
    expect([counts, requests]).toEqual([{ ok: 0, lost: 0 }, []]);
    await blobs.close();
    network.close();
  });
});

describe("lifecycle rules", () => {
  // Days end at midnight.
  beforeEach(() => t.clock.advance(DAY_MS - (t.clock.now().getTime() % DAY_MS)));

  it("delete what is old enough, in steps, where the prefix matches", async () => {
    const bucket = await t.bucket(tenantId);
    await setRules(bucket, [
      { id: "1", prefix: "logs/", expire_days: 7, enabled: true },
      { id: "2", prefix: "keep/", expire_days: 1, enabled: false },
    ]);
    for (const key of ["logs/1", "logs/2", "keep/1", "other"]) await put(bucket, key);
    t.clock.advance(7 * DAY_MS - 1);
    await put(bucket, "logs/new");
    await applyLifecycleRules(parts());
    expect(await keysOf(bucket)).toHaveLength(5);
    t.clock.advance(1);
    for (let i = 0; i < 20 && (await keysOf(bucket)).length > 3; i++) {
      await applyLifecycleRules(parts(), { versionsMax: 1 });
    }
    expect(await keysOf(bucket)).toEqual(["keep/1", "logs/new", "other"]);
    await setRules(bucket, []);
  });

  it("hide current versions, delete older ones, and then markers that hide nothing", async () => {
    const bucket = await t.bucket(tenantId, "on");
    await setRules(bucket, [{ id: "1", prefix: "", expire_days: 10, expire_noncurrent_days: 3, enabled: true }]);
    await put(bucket, "k", "1");
    await put(bucket, "k", "2");
    const sweep = async (days: number) => {
      t.clock.advance(days * DAY_MS);
      await applyLifecycleRules(parts());
      return versionsOf(bucket);
    };
    expect(await sweep(2)).toEqual(["k", "k"]);
    expect(await sweep(1)).toEqual(["k"]);
    expect(await sweep(7)).toEqual(["k!", "k"]);
    expect(await sweep(2)).toEqual(["k!", "k"]);
    expect(await sweep(1)).toEqual(["k!"]);
    expect(await sweep(7)).toEqual([]);
    const { counted, summed } = await t.usage(tenantId);
    expect(counted).toEqual(summed);
    await setRules(bucket, []);
  });

  it("keep the newest of the older versions of each object, however small the steps are", async () => {
    const bucket = await t.bucket(tenantId, "on");
    await setRules(bucket, [{ id: "1", prefix: "", expire_noncurrent_days: 1, keep_noncurrent: 2, enabled: true }]);
    for (const key of ["a", "b"]) for (const text of ["1", "2", "3", "4", "5"]) await put(bucket, key, text);
    await t.objects.delete(bucket, [{ key: "b" }]);
    t.clock.advance(DAY_MS);
    for (let i = 0; i < 20; i++) await applyLifecycleRules(parts(), { versionsMax: 1 });
    const { versions } = await t.objects.listVersions(bucket, { limit: 1000 });
    const texts = await Promise.all(
      versions.map(async ({ key, versionId, isDeleteMarker }) =>
        isDeleteMarker
          ? `${key}!`
          : `${key}${await contentOf((await t.objects.read(bucket, { key, versionId })).open())}`,
      ),
    );
    expect(texts).toEqual(["a5", "a4", "a3", "b!", "b5", "b4"]);
    await setRules(bucket, []);
  });

  it("go on in the middle of a key with the versions that are there then", async () => {
    const bucket = await t.bucket(tenantId, "on");
    await setRules(bucket, [{ id: "1", prefix: "", expire_noncurrent_days: 1, keep_noncurrent: 2, enabled: true }]);
    await Promise.all(Array.from({ length: 1003 }, () => put(bucket, "k", "")));
    t.clock.advance(DAY_MS);
    const { rows } = await t.sql.query<{ id: string }>(
      "SELECT version_id AS id FROM object_versions WHERE bucket_id = $1 ORDER BY rank",
      [bucket.id],
    );
    const stored = rows.map(({ id }) => id);
    // The first page ends before the oldest versions; meanwhile all that the rule kept are deleted.
    await setRules(bucket, [{ id: "1", prefix: "", expire_noncurrent_days: 99, enabled: true }]);
    await applyLifecycleRules(parts(), { versionsMax: 1 });
    await t.objects.delete(
      bucket,
      stored.slice(1, -3).map((versionId) => ({ key: "k", versionId })),
    );
    await setRules(bucket, [{ id: "1", prefix: "", expire_noncurrent_days: 1, keep_noncurrent: 2, enabled: true }]);
    await applyLifecycleRules(parts(), { versionsMax: 1 });
    const { versions } = await t.objects.listVersions(bucket, { limit: 1000 });
    expect(versions.map(({ versionId }) => versionId)).toEqual([stored[0], ...stored.slice(-3, -1)]);
    await setRules(bucket, []);
  });

  it("abort uploads after a day, or when the bucket says so, and forget completed ones", async () => {
    const [plain, ruled] = [await t.bucket(tenantId), await t.bucket(tenantId)];
    await setRules(ruled, [{ id: "1", prefix: "a", abort_upload_days: 3, enabled: true }]);
    const start = (bucket: BucketRef, key: string) => t.objects.createUpload(bucket, { key, properties: PLAIN });
    const uploads = async () =>
      (await Promise.all([plain, ruled].map((bucket) => t.objects.listUploads(bucket, { limit: 10 })))).map(
        ({ uploads: all }) => all.map(({ key }) => key),
      );
    const [upload] = [await start(plain, "a"), await start(ruled, "a"), await start(ruled, "b")];
    await t.objects.putPart(plain, { ...upload, number: 1, body: bodyOf("part") });
    const done = await start(plain, "done");
    const part = await t.objects.putPart(plain, { ...done, number: 1, body: bodyOf("part") });
    await t.objects.completeUpload(plain, { ...done, parts: [part] });
    await sweepUploads(parts());
    expect(await uploads()).toEqual([["a"], ["a", "b"]]);
    t.clock.advance(DAY_MS);
    await sweepUploads(parts());
    expect(await uploads()).toEqual([[], ["a"]]);
    const again = t.objects.completeUpload(plain, { ...done, parts: [part] });
    await expect(again).rejects.toMatchObject({ code: "not_found" });
    t.clock.advance(2 * DAY_MS);
    await sweepUploads(parts());
    expect(await uploads()).toEqual([[], []]);
    const { counted, summed } = await t.usage(tenantId);
    expect(counted).toEqual(summed);
    expect(await keysOf(plain)).toEqual(["done"]);
  });
});
