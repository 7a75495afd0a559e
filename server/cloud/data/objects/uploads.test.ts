import { createHash } from "node:crypto";
import { crc32 } from "@node-rs/crc32";
import { describe, expect, it } from "vitest";
import { bodyOf, contentOf, objectsTest, PLAIN } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import type { ChecksumAlgorithm } from "./objects";

const MIB = 1024 ** 2;
const FIVE = Buffer.alloc(5 * MIB, "five");

const t = await openForFile(objectsTest());
const bucket = await t.bucket(await t.tenant());

const start = (key: string, more: { algorithm?: ChecksumAlgorithm; checksumType?: "FULL_OBJECT" | "COMPOSITE" } = {}) =>
  t.objects.createUpload(bucket, { key, properties: { ...PLAIN, userMetadata: { a: "b" } }, ...more });
const part = async (upload: { key: string; uploadId: string }, number: number, bytes: string | Uint8Array) =>
  t.objects.putPart(bucket, { key: upload.key, uploadId: upload.uploadId, number, body: bodyOf(bytes) });
const contents = async (key: string, range?: { start: number; end: number }) => {
  const { open } = await t.objects.read(bucket, { key });
  return contentOf(open(range));
};
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

describe("a multipart upload", () => {
  it("is one object after its completion, with the ETag of its parts, and completes again with the same result", async () => {
    const upload = await start("whole");
    const stale = await part(upload, 1, "replaced");
    const [one, two, unused] = [await part(upload, 1, FIVE), await part(upload, 2, "end"), await part(upload, 9, "no")];
    expect(await t.objects.find(bucket, { key: "whole" })).toBeUndefined();
    const listed = await t.objects.listParts(bucket, upload, { after: 0, limit: 2 });
    expect([listed.parts.map(({ number, size }) => [number, size]), listed.next]).toEqual([
      [
        [1, 5 * MIB],
        [2, 3],
      ],
      2,
    ]);
    expect((await t.objects.listParts(bucket, upload, { after: 2, limit: 2 })).parts).toEqual([unused]);
    const parts = [one, two].map(({ number, etag }) => ({ number, etag }));
    const wrong = t.objects.completeUpload(bucket, { ...upload, parts: [stale, two] });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_request", details: { reason: "invalid_part" } });
    const version = await t.objects.completeUpload(bucket, { ...upload, parts });
    const hashes = Buffer.concat([Buffer.from(one.etag, "hex"), Buffer.from(two.etag, "hex")]);
    expect(version).toMatchObject({
      key: "whole",
      size: 5 * MIB + 3,
      etag: `${md5(hashes)}-2`,
      partSizes: [5 * MIB, 3],
      userMetadata: { a: "b" },
    });
    const bytes = Buffer.concat([FIVE, Buffer.from("end")]);
    expect(md5(await contents("whole"))).toBe(md5(bytes));
    expect((await contents("whole", { start: 5 * MIB - 2, end: 5 * MIB + 2 })).toString()).toBe(
      bytes.subarray(-5, -1).toString(),
    );
    expect(await t.objects.completeUpload(bucket, { ...upload, parts })).toEqual(version);
    await t.objects.delete(bucket, [{ key: "whole" }]);
    expect(await t.objects.completeUpload(bucket, { ...upload, parts })).toEqual(version);
    const other = t.objects.completeUpload(bucket, { ...upload, parts: parts.slice(1) });
    await expect(other).rejects.toMatchObject({ code: "not_found", details: { reason: "no_such_upload" } });
    const { counted, summed } = await t.usage(bucket.tenantId);
    expect(counted).toEqual(summed);
  });

  it.each([
    ["in another order", [2, 1], "invalid_part_order"],
    ["twice", [1, 1], "invalid_part_order"],
    ["that is too small", [2, 3], "part_too_small"],
    ["that was not uploaded", [1, 7], "invalid_part"],
    ["in no number", [], "invalid_part"],
  ])("with a part %s is not completed", async (_what, numbers, reason) => {
    const upload = await start("refused");
    const stored = [await part(upload, 1, FIVE), await part(upload, 2, "a"), await part(upload, 3, "b")];
    const parts = numbers.map((number) => ({ number, etag: stored[number - 1]?.etag ?? "" }));
    const call = t.objects.completeUpload(bucket, { ...upload, parts });
    await expect(call).rejects.toMatchObject({ code: "invalid_request", details: { reason } });
    await t.objects.abortUpload(bucket, upload);
    await expect(t.objects.abortUpload(bucket, upload)).rejects.toMatchObject({ code: "not_found" });
    await expect(part(upload, 1, "x")).rejects.toMatchObject({ details: { reason: "no_such_upload" } });
  });

  it.each([["CRC32"], ["CRC32C"], ["CRC64NVME"]] as const)(
    "has the %s of its bytes, from those of its parts",
    async (algorithm) => {
      const upload = await start(algorithm, { algorithm, checksumType: "FULL_OBJECT" });
      const stored = [await part(upload, 1, FIVE), await part(upload, 2, FIVE), await part(upload, 3, "the rest")];
      const bytes = Buffer.concat([FIVE, FIVE, Buffer.from("the rest")]);
      const body = { ...bodyOf(bytes), algorithms: [algorithm] };
      const plain = await t.objects.put(bucket, { key: "plain", ...PLAIN, body });
      const wrong = t.objects.completeUpload(bucket, { ...upload, parts: stored, checksums: { [algorithm]: "AAAA" } });
      await expect(wrong).rejects.toMatchObject({ details: { reason: "bad_checksum" } });
      const version = await t.objects.completeUpload(bucket, { ...upload, parts: stored, checksums: plain.checksums });
      expect(version).toMatchObject({ checksums: plain.checksums, checksumType: "FULL_OBJECT" });
    },
  );

  it("has a composite checksum by default", async () => {
    const upload = await start("composite", { algorithm: "CRC32" });
    const stored = [await part(upload, 1, FIVE), await part(upload, 2, "b")];
    const sums = stored.map(({ checksums }) => Buffer.from(checksums.CRC32 ?? "", "base64"));
    const expected = Buffer.alloc(4);
    expected.writeUInt32BE(crc32(Buffer.concat(sums)));
    const version = await t.objects.completeUpload(bucket, { ...upload, parts: stored });
    expect(version).toMatchObject({
      checksums: { CRC32: `${expected.toString("base64")}-2` },
      checksumType: "COMPOSITE",
    });
  });

  it("is listed by key and id until it ends, in pages and by common prefix", async () => {
    const own = await t.bucket(bucket.tenantId);
    const make = (key: string) => {
      t.clock.advance(1);
      return t.objects.createUpload(own, { key, properties: PLAIN });
    };
    const uploads = [await make("a"), await make("a"), await make("d/1"), await make("d/2"), await make("e")];
    const first = await t.objects.listUploads(own, { limit: 1 });
    expect(first.uploads).toEqual(uploads.slice(0, 1));
    const { key = "", uploadId = "" } = first.next ?? {};
    const rest = await t.objects.listUploads(own, { limit: 10, after: key, afterUploadId: uploadId });
    expect(rest.uploads).toEqual(uploads.slice(1));
    const rolled = await t.objects.listUploads(own, { limit: 3, delimiter: "/" });
    expect([rolled.uploads.length, rolled.prefixes, rolled.next]).toEqual([2, ["d/"], { key: "d/", uploadId: "" }]);
    const last = await t.objects.listUploads(own, { limit: 3, delimiter: "/", after: "d/" });
    expect([last.uploads, last.prefixes]).toEqual([uploads.slice(4), []]);
  });
});

it("texts that no upload can have are not found", async () => {
  for (const place of [
    { key: "k", uploadId: "a\0b" },
    { key: "a\0b", uploadId: "upl_1" },
    { key: "k", uploadId: "x".repeat(5000) },
  ]) {
    const expected = { code: "not_found", details: { reason: "no_such_upload" } };
    await expect(t.objects.completeUpload(bucket, { ...place, parts: [] })).rejects.toMatchObject(expected);
    await expect(t.objects.abortUpload(bucket, place)).rejects.toMatchObject(expected);
    await expect(part(place, 1, "x")).rejects.toMatchObject(expected);
    expect(await t.objects.findUpload(bucket, place)).toBeUndefined();
  }
  const upload = await start("numbers");
  await expect(part(upload, 0, "x")).rejects.toMatchObject({ details: { reason: "invalid_part_number" } });
  await expect(part(upload, 10_001, "x")).rejects.toMatchObject({ details: { reason: "invalid_part_number" } });
  expect((await t.objects.listParts(bucket, upload, { after: 1e12, limit: 10 })).parts).toEqual([]);
});

describe("a copy", () => {
  it("has the bytes of a multipart object, its own properties, and remains when the source is deleted", async () => {
    const upload = await start("source");
    const parts = [await part(upload, 1, FIVE), await part(upload, 2, "tail")];
    const source = await t.objects.completeUpload(bucket, { ...upload, parts });
    const from = { bucket, choice: { key: "source" } };
    const copy = await t.objects.copy(from, { bucket, key: "copy", properties: { ...PLAIN, contentType: "a/b" } });
    expect(copy).toMatchObject({
      key: "copy",
      size: source.size,
      etag: source.etag,
      contentType: "a/b",
      userMetadata: {},
    });
    const same = await t.objects.copy(from, { bucket, key: "source", properties: { ...PLAIN, contentType: "c/d" } });
    expect(same).toMatchObject({ contentType: "c/d", versionId: "null" });
    await t.objects.delete(bucket, [{ key: "source" }]);
    expect((await contents("copy", { start: 5 * MIB, end: 5 * MIB + 4 })).toString()).toBe("tail");
    const missing = t.objects.copy(from, { bucket, key: "x" });
    await expect(missing).rejects.toMatchObject({ details: { reason: "no_such_key" } });
  });

  it("of a range is a part", async () => {
    await t.objects.put(bucket, { key: "long", ...PLAIN, body: bodyOf("0123456789") });
    const upload = await start("assembled");
    const place = { key: "assembled", uploadId: upload.uploadId, number: 1 };
    const copied = await t.objects.copyPart(bucket, place, {
      bucket,
      choice: { key: "long" },
      range: { start: 2, end: 5 },
    });
    expect(copied).toMatchObject({ number: 1, size: 3, etag: md5(Buffer.from("234")) });
    await t.objects.completeUpload(bucket, { ...upload, parts: [copied] });
    expect((await contents("assembled")).toString()).toBe("234");
  });
});

it("a read that has begun finishes although the object is replaced", async () => {
  await t.objects.put(bucket, { key: "read", ...PLAIN, body: bodyOf(FIVE) });
  const { open } = await t.objects.read(bucket, { key: "read" });
  const reading = open()[Symbol.asyncIterator]();
  const first = await reading.next();
  await t.objects.put(bucket, { key: "read", ...PLAIN, body: bodyOf("new") });
  let size = first.value?.length ?? 0;
  for (let next = await reading.next(); !next.done; next = await reading.next()) size += next.value.length;
  expect(size).toBe(5 * MIB);
});
