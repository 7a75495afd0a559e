import { describe, expect, it } from "vitest";
import { bodyOf, contentOf, objectsTest, PLAIN } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import type { BucketRef } from "./objects";

const t = await openForFile(objectsTest());
const tenantId = await t.tenant();

const put = async (bucket: BucketRef, key: string, text: string) => {
  t.clock.advance(1000);
  return (await t.objects.put(bucket, { key, ...PLAIN, body: bodyOf(text) })).versionId;
};
const get = async (bucket: BucketRef, key: string, versionId?: string) => {
  const { open } = await t.objects.read(bucket, { key, ...(versionId !== undefined && { versionId }) });
  return (await contentOf(open())).toString();
};
const listed = async (bucket: BucketRef) => {
  const { versions } = await t.objects.listVersions(bucket, { limit: 1000 });
  return versions.map(({ key, versionId, isLatest, isDeleteMarker }) => [key, versionId, isLatest, isDeleteMarker]);
};

describe("versioning that is on", () => {
  it("keeps every version, and a deletion hides them behind a marker until it is deleted", async () => {
    const bucket = await t.bucket(tenantId, "on");
    const [one, two] = [await put(bucket, "k", "one"), await put(bucket, "k", "two")];
    expect(await get(bucket, "k")).toBe("two");
    expect(await get(bucket, "k", one)).toBe("one");
    const [deleted] = await t.objects.delete(bucket, [{ key: "k" }]);
    expect(deleted).toEqual({ key: "k", versionId: expect.stringMatching(/^[0-9a-z]{30}$/), isDeleteMarker: true });
    const marker = deleted?.versionId ?? "";
    await expect(t.objects.read(bucket, { key: "k" })).rejects.toMatchObject({
      code: "not_found",
      details: { reason: "no_such_key", delete_marker: true, version_id: marker },
    });
    const ofMarker = t.objects.read(bucket, { key: "k", versionId: marker });
    await expect(ofMarker).rejects.toMatchObject({ code: "method_not_allowed", details: { reason: "delete_marker" } });
    expect(await t.objects.find(bucket, { key: "k" })).toMatchObject({ isDeleteMarker: true, versionId: marker });
    expect(await listed(bucket)).toEqual([
      ["k", marker, true, true],
      ["k", two, false, false],
      ["k", one, false, false],
    ]);
    expect((await t.objects.list(bucket, { limit: 10 })).objects).toEqual([]);
    expect(await t.objects.delete(bucket, [{ key: "k", versionId: marker }])).toEqual([
      { key: "k", versionId: marker, isDeleteMarker: true },
    ]);
    expect(await get(bucket, "k")).toBe("two");
    await t.objects.delete(bucket, [{ key: "k", versionId: two }]);
    expect(await listed(bucket)).toEqual([["k", one, true, false]]);
    const gone = t.objects.read(bucket, { key: "k", versionId: two });
    await expect(gone).rejects.toMatchObject({ code: "not_found", details: { reason: "no_such_version" } });
  });

  it("keeps what was stored before as the version null", async () => {
    const bucket = await t.bucket(tenantId);
    expect(await put(bucket, "k", "before")).toBe("null");
    const on = await t.setVersioning(bucket, "on");
    // Another process may still have the old settings of the bucket: those in the database count.
    const second = await put(bucket, "k", "after");
    expect(second).not.toBe("null");
    expect(await listed(on)).toEqual([
      ["k", second, true, false],
      ["k", "null", false, false],
    ]);
    expect(await get(on, "k", "null")).toBe("before");
  });
});

describe("versioning that is suspended", () => {
  it("replaces the version null only, also by a deletion", async () => {
    const bucket = await t.bucket(tenantId, "on");
    const one = await put(bucket, "k", "one");
    await t.setVersioning(bucket, "suspended");
    expect([await put(bucket, "k", "x"), await put(bucket, "k", "y")]).toEqual(["null", "null"]);
    expect(await listed(bucket)).toEqual([
      ["k", "null", true, false],
      ["k", one, false, false],
    ]);
    expect(await t.objects.delete(bucket, [{ key: "k" }])).toEqual([
      { key: "k", versionId: "null", isDeleteMarker: true },
    ]);
    expect(await listed(bucket)).toEqual([
      ["k", "null", true, true],
      ["k", one, false, false],
    ]);
    await t.objects.delete(bucket, [{ key: "k", versionId: "null" }]);
    expect(await get(bucket, "k")).toBe("one");
  });

  it("replaces a version null that is not the latest", async () => {
    const bucket = await t.bucket(tenantId);
    await put(bucket, "k", "old null");
    await t.setVersioning(bucket, "on");
    const named = [await put(bucket, "k", "1"), await put(bucket, "k", "2"), await put(bucket, "k", "3")];
    await t.setVersioning(bucket, "suspended");
    await put(bucket, "k", "new null");
    expect((await listed(bucket)).map(([, versionId]) => versionId)).toEqual(["null", ...named.toReversed()]);
    expect(await get(bucket, "k", "null")).toBe("new null");
  });
});

describe("the list of versions", () => {
  it("continues after a version that was deleted meanwhile, with every limit", async () => {
    const bucket = await t.bucket(tenantId, "on");
    const expected: string[] = [];
    for (const key of ["a", "b/x", "b/y", "c"]) {
      const versions = [await put(bucket, key, "1"), await put(bucket, key, "2"), await put(bucket, key, "3")];
      expected.push(...versions.toReversed());
    }
    for (const limit of [1, 2, 5, 12]) {
      const seen: string[] = [];
      let next: { key: string; versionId: string } | undefined;
      do {
        const options = next && { after: next.key, afterVersionId: next.versionId };
        const page = await t.objects.listVersions(bucket, { limit, ...options });
        seen.push(...page.versions.map(({ versionId }) => versionId));
        next = page.next;
      } while (next);
      expect(seen).toEqual(expected);
    }
    const rolled = await t.objects.listVersions(bucket, { limit: 4, delimiter: "/" });
    expect([rolled.versions.length, rolled.prefixes, rolled.next]).toEqual([3, ["b/"], { key: "b/", versionId: "" }]);
    const rest = await t.objects.listVersions(bucket, { limit: 4, delimiter: "/", after: "b/", afterVersionId: "" });
    expect(rest.versions.map(({ key }) => key)).toEqual(["c", "c", "c"]);
    const [, , third = ""] = expected;
    await t.objects.delete(bucket, [{ key: "a", versionId: third }]);
    const after = await t.objects.listVersions(bucket, { limit: 1, after: "a", afterVersionId: third });
    expect(after.versions[0]?.versionId).toBe(expected[3]);
  });
});

it("a bucket is emptied in steps, with its versions, markers and uploads", async () => {
  const bucket = await t.bucket(tenantId, "on");
  for (const key of ["a", "a", "b"]) await put(bucket, key, key);
  await t.objects.delete(bucket, [{ key: "b" }]);
  const upload = await t.objects.createUpload(bucket, { key: "u", properties: PLAIN });
  await t.objects.putPart(bucket, { key: "u", uploadId: upload.uploadId, number: 1, body: bodyOf("part") });
  expect(await t.objects.empty(bucket, 2)).toEqual({ deleted: 2, isEmpty: false });
  expect(await t.objects.empty(bucket, 100)).toEqual({ deleted: 1, isEmpty: true });
  expect(await listed(bucket)).toEqual([]);
  const { counted, summed } = await t.usage(tenantId);
  expect(counted).toEqual(summed);
  const { rows } = await t.sql.query("SELECT bytes::int, versions::int FROM buckets WHERE id = $1", [bucket.id]);
  expect(rows).toEqual([{ bytes: 0, versions: 0 }]);
});

it("a condition is checked against what is stored at the commit", async () => {
  const bucket = await t.bucket(tenantId);
  const condition = { ifNoneMatch: "*" as const };
  const puts = Array.from({ length: 8 }, (_, i) =>
    t.objects.put(bucket, { key: "once", ...PLAIN, body: bodyOf(`${i}`), condition }),
  );
  const results = await Promise.allSettled(puts);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refused = results.find((result) => result.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "conflict", details: { reason: "precondition_failed" } });
  const ifMatch = t.objects.delete(bucket, [{ key: "once" }], { ifMatch: "wrong" });
  await expect(ifMatch).rejects.toMatchObject({ code: "conflict" });
  const etag = (await t.objects.find(bucket, { key: "once" }))?.etag ?? "";
  await t.objects.delete(bucket, [{ key: "once" }], { ifMatch: etag });
  expect(await t.objects.find(bucket, { key: "once" })).toBeUndefined();
});
