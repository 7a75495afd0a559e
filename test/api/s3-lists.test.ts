import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const Bucket = "lists";
/** In the order of their bytes. */
const KEYS = ["A", "a", "a b", "a/1", "a/2", "a/b/3", "b", "b&<>", "b/1", "z\u0001", "ü", "😀"];
const server = await openForFile(s3Server());
const tenant = await s3Tenant(server);
const s3 = s3Client(server, (await tenant.key()).credentials);
await s3.send(new CreateBucketCommand({ Bucket }));
for (const Key of [...KEYS].reverse()) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));

const list = (more: Partial<ListObjectsV2CommandInput> = {}) =>
  s3.send(new ListObjectsV2Command({ Bucket, EncodingType: "url", ...more }));
const decoded = (text = "") => decodeURIComponent(text);
const shape = ({ Contents, CommonPrefixes }: Pick<ListObjectsV2CommandOutput, "Contents" | "CommonPrefixes">) => [
  (Contents ?? []).map(({ Key }) => decoded(Key)),
  (CommonPrefixes ?? []).map(({ Prefix }) => decoded(Prefix)),
];

describe("a list of objects", () => {
  it.each<[Partial<ListObjectsV2CommandInput>, string[], string[]]>([
    [{}, KEYS, []],
    [{ Prefix: "a" }, ["a", "a b", "a/1", "a/2", "a/b/3"], []],
    [{ Prefix: "a/" }, ["a/1", "a/2", "a/b/3"], []],
    [{ Prefix: "a/", Delimiter: "/" }, ["a/1", "a/2"], ["a/b/"]],
    [{ Delimiter: "/" }, ["A", "a", "a b", "b", "b&<>", "z\u0001", "ü", "😀"], ["a/", "b/"]],
    [{ Delimiter: " " }, KEYS.filter((key) => key !== "a b"), ["a "]],
    [{ Prefix: "none" }, [], []],
    [{ StartAfter: "b" }, KEYS.slice(7), []],
    [{ StartAfter: "a/2", Prefix: "a/" }, ["a/b/3"], []],
    [{ StartAfter: "zzz" }, ["ü", "😀"], []],
    [{ MaxKeys: 0 }, [], []],
    [{ Delimiter: "" }, KEYS, []],
  ])("with %j has the keys and prefixes in order", async (input, keys, prefixes) => {
    const found = await list(input);
    expect(shape(found)).toEqual([keys, prefixes]);
    expect(found).toMatchObject({ Name: Bucket, KeyCount: keys.length + prefixes.length, IsTruncated: false });
  });

  it.each([{}, { Delimiter: "/" }, { Prefix: "a/", Delimiter: "/" }])(
    "with %j has the same entries in pages of any size",
    async (input) => {
      const whole = shape(await list(input));
      for (const MaxKeys of [1, 2, 5]) {
        const pages: [string[], string[]] = [[], []];
        let token: string | undefined;
        do {
          const page = await list({ ...input, MaxKeys, ...(token && { ContinuationToken: token }) });
          expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys);
          for (const [i, texts] of shape(page).entries()) pages[i]?.push(...texts);
          token = page.NextContinuationToken;
          expect(page.IsTruncated).toBe(token !== undefined);
        } while (token);
        expect(pages).toEqual(whole);
      }
    },
  );

  it("has the size, ETag, time and, on request, the owner of each", async () => {
    const [plain] = (await list({ Prefix: "b" })).Contents ?? [];
    expect(plain).toMatchObject({
      Key: "b",
      Size: 1,
      ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      StorageClass: "STANDARD",
    });
    expect(plain?.LastModified).toBeInstanceOf(Date);
    expect(plain?.Owner).toBeUndefined();
    expect((await list({ Prefix: "b", FetchOwner: true })).Contents?.[0]?.Owner?.ID).toMatch(/^ten_/);
  });

  it("of version 1 continues after a marker", async () => {
    const read = async (Marker?: string) =>
      s3.send(
        new ListObjectsCommand({ Bucket, EncodingType: "url", Delimiter: "/", MaxKeys: 3, ...(Marker && { Marker }) }),
      );
    const first = await read();
    expect([shape(first), first.IsTruncated]).toEqual([[["A", "a", "a b"], []], true]);
    const second = await read(decoded(first.NextMarker));
    expect(shape(second)).toEqual([["b", "b&<>"], ["a/"]]);
  });

  it.each<[object, string]>([
    [{ ContinuationToken: "not a token" }, "InvalidArgument"],
    [{ MaxKeys: -1 }, "InvalidArgument"],
    [{ EncodingType: "base64" }, "InvalidArgument"],
    [{ Bucket: "no-such-bucket" }, "NoSuchBucket"],
  ])("with %j fails", async (input, code) => {
    expect((await s3Refusal(list(input))).code).toBe(code);
  });
});

describe("a list of buckets", () => {
  it("has those of the caller's project and mode, in order and in pages", async () => {
    const tenant = await s3Tenant(server);
    const mine = s3Client(server, (await tenant.key()).credentials);
    const others = [await tenant.key({ mode: "test" }), await tenant.key({ projectId: await tenant.project() })];
    for (const name of ["mine-b", "mine-a", "mine-c"]) await mine.send(new CreateBucketCommand({ Bucket: name }));
    const { Buckets } = await mine.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual(["mine-a", "mine-b", "mine-c"]);
    const page = await mine.send(new ListBucketsCommand({ MaxBuckets: 2, Prefix: "mine-" }));
    const rest = await mine.send(new ListBucketsCommand({ ContinuationToken: page.ContinuationToken }));
    expect([page.Buckets?.length, rest.Buckets?.map(({ Name }) => Name)]).toEqual([2, ["mine-c"]]);
    for (const { credentials } of others) {
      expect((await s3Client(server, credentials).send(new ListBucketsCommand({}))).Buckets ?? []).toEqual([]);
    }
  });
});

describe("a bucket with versioning", () => {
  const versioned = "versions";
  const put = async (Key: string, Body: string) =>
    (await s3.send(new PutObjectCommand({ Bucket: versioned, Key, Body }))).VersionId ?? "";
  const get = (Key: string, VersionId?: string) =>
    s3.send(new GetObjectCommand({ Bucket: versioned, Key, ...(VersionId && { VersionId }) }));
  const textOf = async (Key: string, VersionId?: string) => (await get(Key, VersionId)).Body?.transformToString();
  const remove = (Key: string, VersionId?: string) =>
    s3.send(new DeleteObjectCommand({ Bucket: versioned, Key, ...(VersionId && { VersionId }) }));
  const versions = (more: object = {}) => s3.send(new ListObjectVersionsCommand({ Bucket: versioned, ...more }));
  const set = (Status: "Enabled" | "Suspended") =>
    s3.send(new PutBucketVersioningCommand({ Bucket: versioned, VersioningConfiguration: { Status } }));
  beforeAll(async () => {
    await s3.send(new CreateBucketCommand({ Bucket: versioned }));
    await put("old", "before versioning");
    await set("Enabled");
  });

  it("keeps what a put replaces", async () => {
    const [first, second] = [await put("kept", "1"), await put("kept", "2")];
    expect(first).not.toBe(second);
    expect([await textOf("kept"), await textOf("kept", first), (await get("kept")).VersionId]).toEqual([
      "2",
      "1",
      second,
    ]);
    await put("old", "with versioning");
    expect(await textOf("old", "null")).toBe("before versioning");
  });

  it("hides a deleted object behind a marker, whose deletion brings it back", async () => {
    const id = await put("hidden", "content");
    const { VersionId: marker, DeleteMarker } = await remove("hidden");
    expect([DeleteMarker, marker === id]).toEqual([true, false]);
    expect(await s3Refusal(get("hidden"))).toEqual({ code: "NoSuchKey", status: 404 });
    expect(await s3Refusal(get("hidden", marker))).toEqual({ code: "MethodNotAllowed", status: 405 });
    expect(await textOf("hidden", id)).toBe("content");
    expect((await remove("hidden", marker)).DeleteMarker).toBe(true);
    expect(await textOf("hidden")).toBe("content");
    await remove("hidden", id);
    expect((await s3Refusal(get("hidden", id))).code).toBe("NoSuchVersion");
  });

  it("lists versions and markers, the newest of a key first, in pages", async () => {
    const ids = [await put("listed/a", "1"), await put("listed/a", "22"), await put("listed/b", "1")];
    const marker = (await remove("listed/b")).VersionId;
    const all = await versions({ Prefix: "listed/" });
    expect(all.Versions?.map(({ Key, VersionId, IsLatest, Size }) => [Key, VersionId, IsLatest, Size])).toEqual([
      ["listed/a", ids[1], true, 2],
      ["listed/a", ids[0], false, 1],
      ["listed/b", ids[2], false, 1],
    ]);
    expect(all.DeleteMarkers).toMatchObject([{ Key: "listed/b", VersionId: marker, IsLatest: true }]);
    const seen: unknown[] = [];
    let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
    do {
      const page = await versions({ Prefix: "listed/", MaxKeys: 1, ...next });
      seen.push(...(page.Versions ?? []), ...(page.DeleteMarkers ?? []));
      next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : {};
    } while (next.KeyMarker);
    expect(seen).toHaveLength(4);
    expect((await s3Refusal(versions({ VersionIdMarker: "x" }))).code).toBe("InvalidArgument");
  });

  it("keeps one version named null while it is suspended", async () => {
    const id = await put("paused", "with an id");
    await set("Suspended");
    expect(await put("paused", "first")).toBe("");
    await put("paused", "second");
    expect([await textOf("paused"), await textOf("paused", "null"), await textOf("paused", id)]).toEqual([
      "second",
      "second",
      "with an id",
    ]);
    await set("Enabled");
  });

  it("has no version with an unknown id", async () => {
    await put("known", "1");
    expect((await s3Refusal(get("known", "nonsense"))).code).toBe("NoSuchVersion");
    expect(
      (await s3Refusal(s3.send(new HeadObjectCommand({ Bucket: versioned, Key: "known", VersionId: "nonsense" }))))
        .status,
    ).toBe(404);
  });
});

describe("a list of uploads", () => {
  it("has those under way, by key, in pages", async () => {
    for (const Key of ["up/a", "up/a", "up/b", "up/c/d"])
      await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const read = (more: object = {}) => s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: "up/", ...more }));
    const all = await read();
    expect(all.Uploads?.map(({ Key }) => Key)).toEqual(["up/a", "up/a", "up/b", "up/c/d"]);
    expect((await read({ Delimiter: "/" })).CommonPrefixes).toEqual([{ Prefix: "up/c/" }]);
    const first = await read({ MaxUploads: 3 });
    expect(first.IsTruncated).toBe(true);
    const rest = await read({ KeyMarker: first.NextKeyMarker, UploadIdMarker: first.NextUploadIdMarker });
    expect(rest.Uploads?.map(({ Key }) => Key)).toEqual(["up/c/d"]);
  });
});
