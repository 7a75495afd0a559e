import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bodyOf, contentOf, objectsTest, PLAIN } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";

const t = await openForFile(objectsTest());
const bucket = await t.bucket(await t.tenant());

const put = (key: string, text: string, of = bucket) => t.objects.put(of, { key, ...PLAIN, body: bodyOf(text) });
const get = async (key: string, of = bucket) => {
  const { open } = await t.objects.read(of, { key });
  return (await contentOf(open())).toString();
};
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

describe("an object", () => {
  it("is stored with its properties, read whole and in ranges, and found", async () => {
    const properties = {
      contentType: "text/html",
      headers: { "cache-control": "no-store" },
      userMetadata: { colour: "grün" },
    };
    const version = await t.objects.put(bucket, { key: "a", ...properties, body: bodyOf("hello world") });
    const expected = { key: "a", ...properties, versionId: "null", isLatest: true, size: 11, etag: md5("hello world") };
    expect(version).toMatchObject(expected);
    expect(await t.objects.find(bucket, { key: "a" })).toEqual(version);
    const { open } = await t.objects.read(bucket, { key: "a" });
    expect((await contentOf(open())).toString()).toBe("hello world");
    expect((await contentOf(open({ start: 2, end: 5 }))).toString()).toBe("llo");
    expect(await t.objects.find(bucket, { key: "b" })).toBeUndefined();
    await expect(t.objects.read(bucket, { key: "b" })).rejects.toMatchObject({
      code: "not_found",
      details: { reason: "no_such_key" },
    });
  });

  it("may be empty, is replaced by another put, and is gone after its deletion", async () => {
    await put("empty", "");
    expect(await get("empty")).toBe("");
    await put("empty", "no more");
    expect(await get("empty")).toBe("no more");
    expect(await t.objects.delete(bucket, [{ key: "empty" }, { key: "never" }, { key: "" }])).toEqual([
      { key: "empty", isDeleteMarker: false },
      { key: "never", isDeleteMarker: false },
      { key: "", isDeleteMarker: false },
    ]);
    expect(await t.objects.find(bucket, { key: "empty" })).toBeUndefined();
    const { counted, summed } = await t.usage(bucket.tenantId);
    expect(counted).toEqual(summed);
  });
});

describe("a list", () => {
  it("has keys and common prefixes in the order of their bytes, in pages", async () => {
    const own = await t.bucket(bucket.tenantId);
    const keys = ["a", "b/1", "b/2", "b0", "c/d/e", "\u{ffff}", "\u{1f600}"];
    for (const key of keys.toReversed()) await put(key, key, own);
    const all = await t.objects.list(own, { limit: 1000 });
    expect(all.objects.map(({ key }) => key)).toEqual(keys);
    expect(all.next).toBeUndefined();
    const first = await t.objects.list(own, { delimiter: "/", limit: 2 });
    expect([first.objects.map(({ key }) => key), first.prefixes, first.next]).toEqual([["a"], ["b/"], "b/"]);
    const rest = await t.objects.list(own, { delimiter: "/", limit: 1000, after: "b/" });
    expect([rest.objects.map(({ key }) => key), rest.prefixes]).toEqual([["b0", "\u{ffff}", "\u{1f600}"], ["c/"]]);
    const within = await t.objects.list(own, { prefix: "b/", delimiter: "/", limit: 1000 });
    expect(within.objects.map(({ key }) => key)).toEqual(["b/1", "b/2"]);
    expect(within.prefixes).toEqual([]);
  });
});

describe("what a client says about a body", () => {
  it.each([
    ["another number of bytes", { size: 3 }, "incomplete_body"],
    ["fewer bytes", { size: 5 }, "incomplete_body"],
    ["another MD5", { md5: md5("other") }, "bad_digest"],
    ["another checksum", { checksums: () => ({ CRC32: "AAAAAA==" }) }, "bad_checksum"],
  ])("%s stores nothing", async (_what, claim, reason) => {
    const before = await t.stored();
    const body = { ...bodyOf("four"), ...claim };
    const call = t.objects.put(bucket, { key: "wrong", ...PLAIN, body });
    await expect(call).rejects.toMatchObject({ code: "invalid_request", details: { reason } });
    expect(await t.objects.find(bucket, { key: "wrong" })).toBeUndefined();
    expect(await t.stored()).toEqual(before);
  });

  it("is kept where it is true", async () => {
    const algorithms = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const;
    const version = await t.objects.put(bucket, {
      key: "checked",
      ...PLAIN,
      body: { ...bodyOf("123456789"), algorithms },
    });
    expect(version.checksums).toEqual({
      // The check values of the catalogue of CRC algorithms.
      CRC32: Buffer.from("cbf43926", "hex").toString("base64"),
      CRC32C: Buffer.from("e3069283", "hex").toString("base64"),
      CRC64NVME: Buffer.from("ae8b14860a799888", "hex").toString("base64"),
      SHA1: createHash("sha1").update("123456789").digest("base64"),
      SHA256: createHash("sha256").update("123456789").digest("base64"),
    });
  });
});
