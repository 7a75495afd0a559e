import { describe, expect, it } from "vitest";
import { bodyOf, objectsTest, PLAIN } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import { ChangeCommits } from "./commit-changes";
import { applyLifecycleRules } from "./lifecycle-sweep";
import type { BucketLock, BucketRef, DeleteChoice, NewLock, Objects } from "./objects";

const DAY_MS = 86_400_000;
const t = await openForFile(objectsTest());
const tenantId = await t.tenant();

async function lockedBucket(objectLock: BucketLock = { default_retention: null }): Promise<BucketRef> {
  const bucket = await t.bucket(tenantId, "on");
  await t.db.bucket.update({ where: { id: bucket.id }, data: { objectLock: objectLock as object } });
  return bucket;
}

const put = async (bucket: BucketRef, key: string, lock?: NewLock) => {
  t.clock.advance(1000);
  return t.objects.put(bucket, { key, ...PLAIN, body: bodyOf(key), ...(lock && { lock }) });
};
const inDays = (days: number) => t.clock.now().getTime() + days * DAY_MS;
const governed = (days: number) => ({ mode: "governance" as const, until: inDays(days) });
const complied = (days: number) => ({ mode: "compliance" as const, until: inDays(days) });
const remove = async (bucket: BucketRef, choice: DeleteChoice) =>
  (await t.objects.delete(bucket, [choice]))[0]?.failure?.details?.reason ?? "deleted";
const bypass = { bypassGovernance: true };
const LOCKED = { code: "forbidden", details: { reason: "object_locked" } };

describe("a version in a bucket with object lock", () => {
  it("stays until its retention ends, also where others of its batch are deleted", async () => {
    const bucket = await lockedBucket();
    const [kept, free] = [await put(bucket, "kept", { retention: governed(2) }), await put(bucket, "free")];
    const choices = [kept, free].map(({ key, versionId }) => ({ key, versionId }));
    const [failed, deleted] = await t.objects.delete(bucket, choices);
    expect(failed).toMatchObject({ key: "kept", versionId: kept.versionId, failure: LOCKED });
    expect(deleted).toEqual({ key: "free", versionId: free.versionId, isDeleteMarker: false });
    const [marker] = await t.objects.delete(bucket, [{ key: "kept" }]);
    expect(marker).toMatchObject({ isDeleteMarker: true });
    expect(await remove(bucket, { key: "kept", versionId: marker?.versionId ?? "" })).toBe("deleted");
    t.clock.advance(2 * DAY_MS - 2001);
    expect(await remove(bucket, kept)).toBe("object_locked");
    t.clock.advance(1);
    expect(await remove(bucket, kept)).toBe("deleted");
  });

  it("is deleted in governance mode by those who bypass it, never in compliance mode or under a legal hold", async () => {
    const bucket = await lockedBucket();
    const [governance, compliance, held] = [
      await put(bucket, "g", { retention: governed(2) }),
      await put(bucket, "c", { retention: complied(2) }),
      await put(bucket, "h", { retention: governed(2), legalHold: true }),
    ];
    expect(await remove(bucket, governance)).toBe("object_locked");
    expect(await remove(bucket, { ...bypass, ...governance })).toBe("deleted");
    expect(await remove(bucket, { ...bypass, ...compliance })).toBe("object_locked");
    expect(await remove(bucket, { ...bypass, ...held })).toBe("object_locked");
    await t.objects.setLock(bucket, { key: "h" }, { legalHold: false });
    expect(await remove(bucket, held)).toBe("object_locked");
    expect(await remove(bucket, { ...bypass, ...held })).toBe("deleted");
  });

  it("has a retention that is only extended, except in governance mode by those who bypass it", async () => {
    const bucket = await lockedBucket();
    await put(bucket, "c", { retention: complied(2) });
    await put(bucket, "g", { retention: governed(2) });
    const set = (key: string, retention: NewLock["retention"] | null, bypassGovernance = false) =>
      t.objects.setLock(bucket, { key }, { retention, bypassGovernance });
    for (const bypasses of [false, true]) {
      for (const less of [complied(1), governed(5), null]) {
        await expect(set("c", less, bypasses)).rejects.toMatchObject(LOCKED);
      }
    }
    const longer = complied(3);
    expect((await set("c", longer)).retention).toEqual(longer);
    for (const less of [governed(1), complied(5), null]) await expect(set("g", less)).rejects.toMatchObject(LOCKED);
    expect((await set("g", governed(1), true)).retention?.mode).toBe("governance");
    expect((await set("g", null, true)).retention).toBeUndefined();
    expect((await set("g", complied(1))).retention?.mode).toBe("compliance");
    await expect(set("g", governed(-1))).rejects.toMatchObject({ details: { reason: "retain_until_passed" } });
    t.clock.advance(DAY_MS);
    // What has ended holds nothing.
    expect((await set("g", governed(1))).retention?.mode).toBe("governance");
  });

  it("is retained as the bucket says where the put says nothing, counted from when it is stored", async () => {
    const bucket = await lockedBucket({ default_retention: { mode: "compliance", years: 1 } });
    const { versionId, lastModified } = await put(bucket, "default", { legalHold: true });
    const until = lastModified.getTime() + 365 * DAY_MS;
    const found = await t.objects.find(bucket, { key: "default", versionId });
    expect(found).toMatchObject({ retention: { mode: "compliance", until }, legalHold: true });
    expect((await put(bucket, "own", { retention: governed(1) })).retention?.mode).toBe("governance");
    const { uploadId } = await t.objects.createUpload(bucket, {
      key: "parts",
      properties: PLAIN,
      lock: { retention: governed(4), legalHold: false },
    });
    const part = await t.objects.putPart(bucket, { key: "parts", uploadId, number: 1, body: bodyOf("x") });
    const done = await t.objects.completeUpload(bucket, { key: "parts", uploadId, parts: [part] });
    expect(done).toMatchObject({ retention: { mode: "governance" }, legalHold: false });
    const copy = await t.objects.copy({ bucket, choice: { key: "parts" } }, { bucket, key: "copy" });
    expect([copy.retention?.mode, copy.legalHold]).toEqual(["compliance", undefined]);
  });

  it("has no lock where the bucket has none, and a delete marker has none either", async () => {
    const plain = await t.bucket(tenantId, "on");
    const none = { code: "conflict", details: { reason: "no_object_lock" } };
    await expect(put(plain, "k", { legalHold: true })).rejects.toMatchObject(none);
    await put(plain, "k");
    await expect(t.objects.setLock(plain, { key: "k" }, { legalHold: true })).rejects.toMatchObject(none);
    const bucket = await lockedBucket();
    await expect(put(bucket, "k", { retention: governed(0) })).rejects.toMatchObject({
      details: { reason: "retain_until_passed" },
    });
    const set = (versionId?: string) =>
      t.objects.setLock(bucket, { key: "k", ...(versionId && { versionId }) }, { legalHold: true });
    await expect(set()).rejects.toMatchObject({ details: { reason: "no_such_key" } });
    const [marker] = await t.objects.delete(bucket, [{ key: "k" }]);
    await expect(set()).rejects.toMatchObject({ details: { reason: "no_such_key" } });
    await expect(set(marker?.versionId)).rejects.toMatchObject({ code: "method_not_allowed" });
    await expect(set("0".repeat(30))).rejects.toMatchObject({ details: { reason: "no_such_version" } });
  });

  it("outlives lifecycle rules, versions without an id, and emptying", async () => {
    const bucket = await lockedBucket();
    const kept = await put(bucket, "k", { retention: complied(30) });
    await put(bucket, "k");
    await put(bucket, "k");
    const rule = { id: "1", prefix: "", enabled: true, expire_noncurrent_days: 1, expire_days: 1 };
    await t.db.bucket.update({ where: { id: bucket.id }, data: { lifecycleRules: [rule] } });
    const commits = new ChangeCommits(t);
    const stopping = new AbortController().signal;
    const sweep = () => applyLifecycleRules({ ...t, commits, stopping });
    const versions = async () => (await t.objects.listVersions(bucket, { limit: 10 })).versions;
    t.clock.advance(3 * DAY_MS);
    await sweep();
    t.clock.advance(3 * DAY_MS);
    await sweep();
    expect((await versions()).map(({ versionId }) => versionId)).toContain(kept.versionId);
    expect(await versions()).toHaveLength(2);
    await expect(t.objects.empty(bucket, 10)).rejects.toMatchObject(LOCKED);
    await t.db.bucket.update({ where: { id: bucket.id }, data: { lifecycleRules: [] } });
    // A bucket whose versioning is off in spite of its lock would replace versions without an id.
    const broken = await t.setVersioning(await lockedBucket(), "off");
    await put(broken, "null", { legalHold: true });
    await expect(put(broken, "null")).rejects.toMatchObject(LOCKED);
    expect((await t.objects.delete(broken, [{ key: "null" }]))[0]?.failure).toMatchObject(LOCKED);
    await t.setVersioning(broken, "suspended");
    expect((await t.objects.delete(broken, [{ key: "null" }]))[0]?.failure).toMatchObject(LOCKED);
    await commits.close();
  });

  it("is either locked or deleted, when two processes lock and delete it at once", async () => {
    const bucket = await lockedBucket();
    const other: Objects = t.another();
    const keys = Array.from({ length: 40 }, (_, i) => `race-${i}`);
    for (const key of keys) await put(bucket, key);
    const races = keys.map(async (key, i) => {
      const { versionId } = (await t.objects.find(bucket, { key })) ?? { versionId: "" };
      const lock = () => t.objects.setLock(bucket, { key, versionId }, { retention: complied(1) });
      const remove = () => other.delete(bucket, [{ key, versionId }]);
      const [locked, removed] = i % 2 === 0 ? [lock(), remove()] : [lock, remove].reverse().map((each) => each());
      const results = await Promise.allSettled([locked, removed]);
      const isLocked = results.some(
        ({ status, value }: { status: string; value?: unknown }) => status === "fulfilled" && !Array.isArray(value),
      );
      const isThere = (await t.objects.find(bucket, { key, versionId })) !== undefined;
      return [isLocked, isThere];
    });
    for (const [isLocked, isThere] of await Promise.all(races)) expect(isThere).toBe(isLocked);
  });
});
