import { randomBytes } from "node:crypto";
import { GetObjectCommand, ListMultipartUploadsCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, it } from "vitest";
import { S3BlobStore } from "../../server/engines/objects/s3-blob-store";
import { keyOf, type S3Settings } from "../../server/engines/objects/s3-client";
import { chunked, describeBlobStore, newName } from "../factories/blob-store-contract";
import { makePlace, startProcess } from "../scenarios/crash/server-process";

/** The external engine on the S3 endpoint of another svc, in a process of its own. */
const place = await makePlace();
const server = await startProcess(place);
const settings = await openBucket();
const store = new S3BlobStore(settings);
const { endpoint, region, forcePathStyle, ...credentials } = settings;
const client = new S3Client({ endpoint, region, forcePathStyle, credentials });
afterAll(async () => {
  await store?.close();
  client?.destroy();
  await server?.stop();
  place?.remove();
}, 300_000);

async function post(path: string, body: object): Promise<Record<string, string>> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${server.keys.live}` };
  const response = await fetch(`${server.url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as Record<string, string>;
}

async function openBucket(): Promise<S3Settings> {
  const bucket = "blobs-of-another-svc";
  await post("/storage/buckets", { name: bucket });
  const made = await post("/storage/credentials", {});
  return {
    endpoint: `${server.url}/v1/s3`,
    region: "us-east-1",
    bucket,
    forcePathStyle: true,
    accessKeyId: made.access_key_id ?? "",
    secretAccessKey: made.secret_access_key ?? "",
  };
}

describeBlobStore("the S3 endpoint of another svc", () => ({
  store,
  change: async (name, change) => {
    const at = { Bucket: settings.bucket, Key: keyOf(name) };
    const { Body } = await client.send(new GetObjectCommand(at));
    const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
    await client.send(new PutObjectCommand({ ...at, Body: change(bytes) }));
  },
}));

describe("the external engine on the S3 endpoint of another svc", () => {
  it("leaves no upload behind when a body fails, and aborts what a crash left", async () => {
    async function* failing() {
      yield randomBytes(9 * 2 ** 20);
      throw new Error("the client went away");
    }
    await expect(store.put(newName(), failing())).rejects.toThrow("the client went away");
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }));
    expect(Uploads).toEqual([]);
  });

  it("copies in parts what is too large for one request", async () => {
    const inParts = new S3BlobStore(settings, { wholeBytesMax: 6 * 2 ** 20, partBytes: 6 * 2 ** 20 });
    const bytes = randomBytes(15 * 2 ** 20);
    const [from, to] = [newName(), newName()];
    await inParts.put(from, chunked(bytes));
    await inParts.copy(from, to, bytes.length);
    expect(await inParts.verify(to, bytes.length)).toBe("ok");
    await inParts.close();
  });

  it("reports wrong credentials as an object store that cannot be used", async () => {
    const wrong = new S3BlobStore({ ...settings, secretAccessKey: "wrong" });
    const away = { code: "unavailable", details: { reason: "object_storage" } };
    await expect(wrong.put(newName(), chunked(randomBytes(10)))).rejects.toMatchObject(away);
    await expect(wrong.ping()).rejects.toMatchObject(away);
    await wrong.close();
  });
});
