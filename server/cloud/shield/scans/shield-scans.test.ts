import { gzipSync } from "node:zlib";
import { expect, inject, it } from "vitest";
import { bodyOf, objectsTest, PLAIN, silentLog } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import type { BucketRef, Objects } from "../../data/objects/objects";
import { type RunScan, runScan } from "./run-scan";
import { ScanThread } from "./scan-thread";

const TOKEN = "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";
const NEVER = AbortSignal.any([]);

const test = await openForFile(objectsTest());
const thread = await openForFile(new ScanThread(inject("scanWorkerFile"), Buffer.alloc(32, 7)));

/** A process that runs scans; `objects` can be made to fail. */
const worker = (objects: Pick<Objects, "list" | "read" | "count"> = test.objects): RunScan => ({
  db: test.db,
  sql: test.sql,
  clock: test.clock,
  objects,
  log: silentLog,
  batchObjects: 2,
  openThread: () => ({ scan: (...given) => thread.scan(...given), close: async () => undefined }),
});

let scans = 0;
async function scan(bucket: BucketRef, prefix = ""): Promise<string> {
  const id = `scn_${++scans}`;
  await test.db.shieldScan.create({
    data: {
      id,
      tenantId: bucket.tenantId,
      projectId: "prj_1",
      mode: "test",
      bucketId: bucket.id,
      bucketName: "b",
      prefix,
      createdAt: test.clock.now(),
    },
  });
  return id;
}

async function scanned(bucket: BucketRef, prefix = "") {
  const id = await scan(bucket, prefix);
  await runScan(worker(), NEVER);
  return test.db.shieldScan.findUniqueOrThrow({ where: { id } });
}

const put = (bucket: BucketRef, key: string, content: string | Uint8Array) =>
  test.objects.put(bucket, { ...PLAIN, key, body: bodyOf(content) });

const bucket = async () => test.bucket(await test.tenant());
const findingsIn = ({ id }: BucketRef) =>
  test.db.shieldFinding.findMany({
    where: { bucketId: id, key: { not: "" } },
    orderBy: [{ key: "asc" }, { rule: "asc" }],
  });

it("a scan finds what is in texts, gzip and UTF-16, looks in binary objects for the test file only, and shows no value; it counts what is archived", async () => {
  const place = await bucket();
  await put(place, "a.env", `TOKEN=${TOKEN}\nagain ${TOKEN}\n`);
  await put(place, "b.csv.gz", gzipSync("name,card\nAda,4539 1488 0343 6467\n"));
  await put(place, "c.txt", Buffer.from(`\ufeffMail jane.doe@corp-mail.com`, "utf16le"));
  await put(place, "d.bin", Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(TOKEN)]));
  await put(place, "e.com", ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*\n"].join(""));
  await put(place, "f.gz", gzipSync(TOKEN).subarray(0, 20));
  await put({ ...place, tier: "archive" }, "g.txt", TOKEN);
  const done = await scanned(place);
  expect(done).toMatchObject({
    status: "completed",
    objects: 7n,
    objectsTotal: 7n,
    unreadable: 1n,
    binary: 1n,
    partly: 1n,
    newFindings: 6,
  });
  expect(done.bytes).toBe(done.bytesTotal);
  expect(
    (await findingsIn(place)).map(({ key, rule, offset, occurrences, encoding }) => [
      key,
      rule,
      Number(offset),
      occurrences,
      encoding,
    ]),
  ).toEqual([
    ["a.env", "github_token", 6, 2, "none"],
    ["b.csv.gz", "payment_card", 14, 1, "gzip"],
    ["c.txt", "email_address", 5, 1, "utf-16"],
    ["e.com", "malware_test_file", 0, 1, "none"],
  ]);
  expect(
    JSON.stringify(await test.db.shieldFinding.findMany({ where: { bucketId: place.id }, select: { evidence: true } })),
  ).not.toContain(TOKEN.slice(4, 12));
});

it("a second scan reads only what changed, keeps findings that are still there, and resolves those that are gone", async () => {
  const place = await bucket();
  for (const key of ["same", "fixed", "deleted"]) await put(place, key, TOKEN);
  await put(place, "other/one", TOKEN);
  await scanned(place);
  const before = await findingsIn(place);
  test.clock.advance(1000);
  await put(place, "fixed", "nothing");
  await put(place, "new", TOKEN);
  await test.objects.delete(place, [{ key: "deleted" }]);
  expect(await scanned(place)).toMatchObject({
    unchanged: 2n,
    objects: 4n,
    newFindings: 1,
    resolved: 2,
    findings: { critical: 3 },
  });
  const after = await findingsIn(place);
  expect(after.map(({ key, resolvedAt }) => [key, resolvedAt === null])).toEqual([
    ["deleted", false],
    ["fixed", false],
    ["new", true],
    ["other/one", true],
    ["same", true],
  ]);
  for (const { id, key, firstSeenAt } of before)
    expect(after.find((one) => one.id === id)).toMatchObject({ key, firstSeenAt });
  // A scan of a prefix says nothing about what is beside it.
  expect(await scanned(place, "other/")).toMatchObject({ objects: 1n, unchanged: 1n, resolved: 0 });
  expect((await findingsIn(place)).filter(({ resolvedAt }) => resolvedAt === null)).toHaveLength(3);
});

it("a scan of a process that was killed is continued once its lease has ended, and nothing is found twice", async () => {
  const place = await bucket();
  for (const key of ["k1", "k2", "k3"]) await put(place, key, TOKEN);
  const id = await scan(place);
  let release = () => {};
  const hanging: Pick<Objects, "list" | "read" | "count"> = {
    list: (...given) => test.objects.list(...given),
    count: (...given) => test.objects.count(...given),
    read: async (of, choice) => {
      if (choice.key === "k3") await new Promise<void>((resolve) => (release = resolve));
      return test.objects.read(of, choice);
    },
  };
  const killed = runScan(worker(hanging), NEVER);
  await expect.poll(() => test.db.shieldScan.findUniqueOrThrow({ where: { id } })).toMatchObject({ objects: 2n });
  expect(await runScan(worker(), NEVER)).toBe(false);
  test.clock.advance(31_000);
  expect(await runScan(worker(), NEVER)).toBe(true);
  const done = await test.db.shieldScan.findUniqueOrThrow({ where: { id } });
  expect(done).toMatchObject({ status: "completed", objects: 3n, findings: { critical: 3 } });
  // The first process goes on after all: what it has is refused.
  release();
  await killed;
  expect(await test.db.shieldScan.findUniqueOrThrow({ where: { id } })).toEqual(done);
  expect(await findingsIn(place)).toHaveLength(3);
});

it("a canceled scan stops, and a scan that ends its process five times fails", async () => {
  const place = await bucket();
  await put(place, "k", TOKEN);
  const id = await scan(place);
  const failing = {
    ...worker(),
    openThread: () => ({ scan: () => Promise.reject(new Error("broken")), close: async () => undefined }),
  };
  for (let i = 0; i < 5; i++) {
    expect(await runScan(failing, NEVER)).toBe(true);
    // After an interruption the scan waits.
    expect(await runScan(failing, NEVER)).toBe(false);
    test.clock.advance(60_000);
  }
  expect(await test.db.shieldScan.findUniqueOrThrow({ where: { id } })).toMatchObject({
    status: "failed",
    leaseOwner: null,
  });
  const second = await scan(place);
  const canceling = {
    ...worker(),
    openThread: () => ({
      scan: async (...given: Parameters<ScanThread["scan"]>) => {
        await test.db.shieldScan.update({
          where: { id: second },
          data: { status: "canceled", finishedAt: test.clock.now() },
        });
        return thread.scan(...given);
      },
      close: async () => undefined,
    }),
  };
  await runScan(canceling, NEVER);
  expect(await test.db.shieldScan.findUniqueOrThrow({ where: { id: second } })).toMatchObject({
    status: "canceled",
    objects: 0n,
  });
  expect(await findingsIn(place)).toEqual([]);
});

it("of a list of addresses 20 values are findings, and the rest is counted", async () => {
  const place = await bucket();
  await put(place, "list", Array.from({ length: 1500 }, (_, i) => `user${i}@corp-mail.com`).join("\n"));
  expect(await scanned(place)).toMatchObject({ omitted: 1480n, findings: { low: 22 } });
  const found = await findingsIn(place);
  expect([found.length, found[0]?.matches]).toEqual([20, 1500]);
});
