import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { chunked, describeBlobStore, namesIn, newName, readAll } from "../../../test/factories/blob-store-contract";
import { openForFile } from "../../../test/factories/open-for-file";
import { startS3Double } from "../../../test/factories/s3-double";
import { S3BlobStore } from "./s3-blob-store";
import { keyOf, type S3Timeouts } from "./s3-client";

const MIB = 2 ** 20;
const double = await openForFile(startS3Double());
const store = await openForFile(new S3BlobStore(double.settings));
beforeEach(() => {
  double.faults.length = 0;
  double.requests.length = 0;
});

describeBlobStore("an S3 double", () => ({
  store,
  change: async (name, change) => {
    const object = double.objects.get(keyOf(name));
    if (!object) throw new Error(`${name} is not stored`);
    object.bytes = change(Buffer.from(object.bytes));
  },
}));

const away = expect.objectContaining({ code: "unavailable", details: { reason: "object_storage" } });
const withTimeouts = (timeouts: Partial<S3Timeouts>) => new S3BlobStore({ ...double.settings, timeouts });

describe("the external engine", () => {
  it("stores small blobs in one request and large ones in parts, and leaves no upload behind", async () => {
    await store.put(newName(), chunked(randomBytes(MIB)));
    expect(double.requests).toHaveLength(1);
    await store.put(newName(), chunked(randomBytes(17 * MIB)));
    expect(double.requests.filter((request) => request.includes("partNumber="))).toHaveLength(3);
    async function* failing() {
      yield randomBytes(9 * MIB);
      throw new Error("the client went away");
    }
    await expect(store.put(newName(), failing())).rejects.toThrow("the client went away");
    expect(double.uploads.size).toBe(0);
  });

  it("aborts uploads that a crash left unfinished", async () => {
    double.uploads.set("old", { key: keyOf(newName()), startedAt: new Date(Date.now() - 7_200_000), parts: new Map() });
    double.uploads.set("new", { key: keyOf(newName()), startedAt: new Date(), parts: new Map() });
    double.uploads.set("foreign", { key: "other/x", startedAt: new Date(0), parts: new Map() });
    await store.removeUnfinished({ olderThan: new Date(Date.now() - 3_600_000) });
    expect([...double.uploads.keys()]).toEqual(["new", "foreign"]);
    double.uploads.clear();
  });

  it("lists only objects of its own", async () => {
    double.objects.set("other/a/b", { bytes: Buffer.alloc(1), at: new Date(0) });
    double.objects.set(keyOf("notes.txt"), { bytes: Buffer.alloc(1), at: new Date(0) });
    expect(await namesIn(store, new Date(1000))).toEqual([]);
  });

  it("copies in parts what is too large for one request", async () => {
    const inParts = new S3BlobStore(double.settings, { wholeBytesMax: 6 * MIB, partBytes: 6 * MIB });
    const bytes = randomBytes(15 * MIB);
    const [from, to] = [newName(), newName()];
    await inParts.put(from, chunked(bytes));
    await inParts.copy(from, to, bytes.length);
    expect((await readAll(inParts, to, { size: bytes.length })).equals(bytes)).toBe(true);
    await inParts.close();
  });

  it("tries again after single failures", async () => {
    const name = newName();
    double.faults.push({ kind: "status", method: "PUT", times: 1, status: 503, code: "SlowDown" });
    double.faults.push({ kind: "reset", method: "GET", times: 1 });
    await store.put(name, chunked(Buffer.from("content")));
    expect((await readAll(store, name, { size: 7 })).toString()).toBe("content");
  });

  it.each([
    ["answers with 500", { kind: "status", status: 500, code: "InternalError" }],
    ["refuses the key", { kind: "status", status: 403, code: "AccessDenied" }],
    ["has lost the bucket", { kind: "status", status: 404, code: "NoSuchBucket" }],
    ["resets connections", { kind: "reset" }],
    ["does not answer", { kind: "silence" }],
  ] as const)("reports a store that %s as away, for every function", async (_what, fault) => {
    const one = withTimeouts({ requestMs: 200, copyMs: 200, attempts: 2 });
    for (const method of ["GET", "PUT", "POST", "HEAD"]) double.faults.push({ ...fault, method, times: 1000 });
    const name = newName();
    await expect(one.put(name, chunked(randomBytes(10)))).rejects.toEqual(away);
    await expect(one.put(name, chunked(randomBytes(9 * MIB)))).rejects.toEqual(away);
    await expect(readAll(one, name, { size: 10 })).rejects.toEqual(away);
    await expect(one.verify(name, 10)).rejects.toEqual(away);
    await expect(one.copy(name, newName(), 10)).rejects.toEqual(away);
    await expect(one.remove([name])).rejects.toEqual(away);
    await expect(namesIn(one, new Date())).rejects.toEqual(away);
    await expect(one.removeUnfinished({ olderThan: new Date() })).rejects.toEqual(away);
    await expect(one.ping()).rejects.toEqual(away);
    await one.close();
  });

  it.each(["cut", "stall"] as const)("never takes an answer that is %s for the whole content", async (kind) => {
    const one = withTimeouts({ idleMs: 200 });
    const bytes = randomBytes(3 * MIB);
    const name = newName();
    await one.put(name, chunked(bytes));
    // The first request is for the checksums.
    double.faults.push({ kind, method: "GET", times: 2, bytes: MIB });
    let read = 0;
    const whole = async () => {
      for await (const chunk of one.read(name, { size: bytes.length })) {
        expect(bytes.subarray(read, read + chunk.length).equals(chunk)).toBe(true);
        read += chunk.length;
      }
    };
    await expect(whole()).rejects.toEqual(away);
    expect(read).toBeLessThan(bytes.length);
    await one.close();
  });

  it("reports an address at which nothing listens as away", async () => {
    const one = new S3BlobStore({ ...double.settings, endpoint: "http://127.0.0.1:1" });
    await expect(one.put(newName(), chunked(randomBytes(10)))).rejects.toEqual(away);
    await expect(one.ping()).rejects.toEqual(away);
    await one.close();
  });
});
