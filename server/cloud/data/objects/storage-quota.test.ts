import { expect, it } from "vitest";
import { bodyOf, objectsTest, PLAIN } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import { newId } from "../../../kernel/ids";
import { ChangeCommits } from "./commit-changes";
import type { Objects } from "./objects";

const PROCESSES = 4;
const LIMITS = { bytes: 2000, objects: 25 };

const t = await openForFile(objectsTest());

it("puts, parts and deletes in several processes at once never exceed the limits, and the usage is the sum of the rows", async () => {
  const tenantId = await t.tenant(LIMITS);
  const buckets = [await t.bucket(tenantId), await t.bucket(tenantId, "on"), await t.bucket(tenantId, "suspended")];
  const processes = Array.from({ length: PROCESSES }, () => t.another());
  const outcomes = { ok: 0, quota: 0 };
  const step = async (objects: Objects, n: number) => {
    const bucket = buckets[n % 3];
    if (!bucket) return;
    const key = `k${n % 13}`;
    const body = bodyOf("x".repeat((n * 37) % 200));
    if (n % 5 === 4) await objects.delete(bucket, [{ key }, { key: `k${(n + 1) % 13}` }]);
    else if (n % 7 === 6) {
      const upload = await objects.createUpload(bucket, { key, properties: PLAIN });
      const part = await objects.putPart(bucket, { ...upload, number: 1, body });
      if (n % 2 === 0) await objects.abortUpload(bucket, upload);
      else await objects.completeUpload(bucket, { ...upload, parts: [part] });
    } else await objects.put(bucket, { key, ...PLAIN, body });
  };
  const work = async (objects: Objects, seed: number) => {
    for (let i = 0; i < 30; i++) {
      const batch = Array.from({ length: 4 }, (_, j) => step(objects, seed * 1000 + i * 4 + j));
      for (const result of await Promise.allSettled(batch)) {
        if (result.status === "fulfilled") outcomes.ok++;
        else {
          expect(result.reason).toMatchObject({ code: "quota_exceeded" });
          outcomes.quota++;
        }
      }
    }
  };
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      const { counted } = await t.usage(tenantId);
      expect(Number(counted[1])).toBeLessThanOrEqual(LIMITS.objects);
      expect(Number(counted[2])).toBeLessThanOrEqual(LIMITS.bytes);
    }
  };
  const watching = watch();
  await Promise.all(processes.map(work)).finally(() => {
    isDone = true;
  });
  await watching;
  expect(outcomes.quota).toBeGreaterThan(0);
  expect(outcomes.ok).toBeGreaterThan(0);
  const { counted, summed } = await t.usage(tenantId);
  expect(counted).toEqual(summed);
});

it("exactly as many objects are stored as fit, and one that replaces another needs no more room", async () => {
  const tenantId = await t.tenant({ bytes: 1000 });
  const bucket = await t.bucket(tenantId);
  const [one, other] = [t.another(), t.another()] as const;
  const put = (objects: Objects, key: string, bytes: number) =>
    objects.put(bucket, { key, ...PLAIN, body: { ...bodyOf("x".repeat(bytes)), size: bytes } });
  const results = await Promise.allSettled(
    Array.from({ length: 16 }, (_, i) => put(i % 2 ? one : other, `k${i}`, 100)),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  const kept = (await one.list(bucket, { limit: 1 })).objects[0]?.key ?? "";
  await put(other, kept, 100);
  await put(other, kept, 50);
  const refused = put(one, "more", 60);
  await expect(refused).rejects.toMatchObject({
    code: "quota_exceeded",
    details: { resource: "storage_bytes", limit: 1000 },
  });
  await put(one, "more", 50);
  const stored = (await t.stored()).filter((name) => name.startsWith(tenantId));
  expect(stored, "with two that were replaced").toHaveLength(11 + 2);
  const { counted, summed } = await t.usage(tenantId);
  expect([counted, summed]).toEqual([
    [11, 11, 1000],
    [11, 11, 1000],
  ]);
});

it("changes of one tenant that come together share one transaction, and each has its own result", async () => {
  const tenantId = await t.tenant({ objects: 10 });
  const bucket = await t.bucket(tenantId);
  const commits = new ChangeCommits({ sql: t.sql, clock: t.clock });
  let connections = 0;
  const count = () => void connections++;
  t.sql.on("acquire", count);
  const whole = {
    size: 1,
    etag: "e",
    checksums: {},
    checksumType: "FULL_OBJECT" as const,
    parts: null,
    tier: "hot" as const,
    blob: null,
    encryption: null,
  };
  const results = await Promise.allSettled(
    Array.from({ length: 16 }, (_, i) => {
      const version = { id: newId("ver", 1), ...whole, ...PLAIN };
      return commits.commit(tenantId, { kind: "put", bucketId: bucket.id, key: `k${i}`, version });
    }),
  );
  t.sql.off("acquire", count);
  expect(connections).toBe(1);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => "fulfilled"),
    ...Array.from({ length: 6 }, () => "rejected"),
  ]);
  await commits.close();
});
