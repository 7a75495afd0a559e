import { CreateBucketCommand, DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import type { Message } from "../../server/cloud/data/queues/message";
import { manage } from "../factories/calls";
import { openForFile } from "../factories/open-for-file";
import { queueTenant } from "../factories/queues";
import { s3Client, s3Refusal, s3Server, s3Tenant } from "../factories/s3";

const server = await openForFile(s3Server());
const svc = (await queueTenant(server.test)).client;
const tenant = await s3Tenant(server);
const key = await tenant.key();
const s3 = s3Client(server, key.credentials);
const storageKey = key.bearer;
await s3.send(new CreateBucketCommand({ Bucket: "batches" }));

/** What a call takes of the limit of its key; `refuses` has the limit allow nothing more for the elements of a batch. */
async function takenBy<T>(call: () => Promise<T>, { refuses = false } = {}): Promise<{ result: T; taken: number }> {
  const { counters } = server.test.engines;
  const real = counters.take.bind(counters);
  let taken = 0;
  counters.take = async (bucket, rate, cost = 1) => {
    if (!/^(api|s3):key:/.test(bucket)) return real(bucket, rate, cost);
    taken += cost;
    if (refuses && taken > 1) return { allowed: false, remaining: 3, retryAfterMs: 1500, resetMs: 1500 };
    return real(bucket, rate, cost);
  };
  try {
    return { result: await call(), taken };
  } finally {
    counters.take = real;
  }
}

describe("a batch counts as one request for each 50 of its elements", () => {
  it.each([
    [1, 1],
    [50, 1],
    [51, 2],
    [100, 2],
  ])("of a queue: %i messages as %i", async (count, requests) => {
    const q = (await svc.create(`counts-${count}`)).name;
    const messages = Array.from({ length: count }, (_, i) => ({ body: `${i}` }));
    const sent = await takenBy(() => svc.call(`/queues/${q}/send`, { body: { messages } }));
    expect([sent.result.status, sent.taken]).toEqual([200, requests]);
    const received = await svc.call<{ data: Message[] }>(`/queues/${q}/receive?max_messages=100`);
    const receipts = received.body.data.map(({ receipt }) => receipt);
    for (const action of ["extend", "acknowledge"]) {
      const done = await takenBy(() => svc.call(`/queues/${q}/${action}`, { body: { receipts } }));
      expect([action, done.result.status, done.taken]).toEqual([action, 200, requests]);
    }
  });

  it("of an edge queue and of stored objects too", async () => {
    const q = (await svc.create("counts-edge")).name;
    const messages = Array(60).fill({ body: "x" });
    expect((await takenBy(() => svc.call(`/edge/queues/${q}/send`, { body: { messages } }))).taken).toBe(2);
    const Objects = Array.from({ length: 1000 }, (_, i) => ({ Key: `${i}` }));
    const remove = new DeleteObjectsCommand({ Bucket: "batches", Delete: { Objects } });
    expect((await takenBy(() => s3.send(remove))).taken).toBe(20);
    const body = { keys: Objects.slice(0, 500).map(({ Key }) => Key) };
    const path = "/v1/storage/buckets/batches/objects/delete";
    const deleted = await takenBy(() => manage(server.test, path, { key: storageKey, body }));
    expect([deleted.result.status, deleted.taken]).toEqual([200, 10]);
  });
});

describe("a batch beyond the limit", () => {
  it("says when to try again, and none of its messages is sent or acknowledged", async () => {
    const q = (await svc.create("refused")).name;
    const messages = Array(100).fill({ body: "x" });
    const send = () => svc.call(`/queues/${q}/send`, { body: { messages } });
    const { result } = await takenBy(send, { refuses: true });
    expect([result.status, result.headers.get("retry-after"), result.headers.get("ratelimit-remaining")]).toEqual([
      429,
      "2",
      "3",
    ]);
    expect(result.body.error).toMatchObject({ code: "rate_limited", message: expect.stringContaining("Retry in 2 s") });
    expect((await svc.call<{ data: Message[] }>(`/queues/${q}/messages`)).body.data).toEqual([]);

    await send();
    const received = await svc.call<{ data: Message[] }>(`/queues/${q}/receive?max_messages=100`);
    const receipts = received.body.data.map(({ receipt }) => receipt);
    const acknowledge = () =>
      svc.call<{ data: { outcome: string }[] }>(`/queues/${q}/acknowledge`, { body: { receipts } });
    expect((await takenBy(acknowledge, { refuses: true })).result.status).toBe(429);
    const outcomes = (await acknowledge()).body.data.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array(100).fill("ok"));
  });

  it("is SlowDown at the S3 endpoint, and none of its objects is deleted", async () => {
    await s3.send(new PutObjectCommand({ Bucket: "batches", Key: "kept", Body: "x" }));
    const Objects = ["kept", ...Array.from({ length: 60 }, (_, i) => `none-${i}`)].map((Key) => ({ Key }));
    const remove = new DeleteObjectsCommand({ Bucket: "batches", Delete: { Objects } });
    const { result } = await takenBy(() => s3Refusal(s3.send(remove)), { refuses: true });
    expect(result).toEqual({ code: "SlowDown", status: 503 });
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: "batches" }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(["kept"]);
  });
});
