import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { bodyOf, contentOf, objectsTest, PLAIN, silentLog } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import type { Tier } from "../../../engines/objects/blob-tiers";
import { blobFile } from "../../../engines/objects/file-blob-store";
import { blobsFolder } from "../../../engines/objects/open-blob-store";
import { removeDueBlobs, removeOrphans, scrubObjects } from "./blob-sweeps";
import { ChangeCommits, REMOVAL_DELAY_MS } from "./commit-changes";
import type { BucketRef } from "./objects";
import { OpenReadings } from "./open-readings";
import { type MoveParts, moveByAge } from "./tier-moves";
import { RESTORE_DELAY_MS } from "./tiers";

const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

const t = await openForFile(objectsTest());
const tenantId = await t.tenant();
const readings = await openForFile(new OpenReadings({ sql: t.sql, clock: t.clock, log: silentLog }));
/** Each test has its own rules, from the first bucket on. */
beforeEach(async () => {
  await t.db.bucket.updateMany({ data: { lifecycleRules: [] } });
  await t.sql.query("DELETE FROM object_sweeps");
});

const parts = (): MoveParts => ({
  sql: t.sql,
  clock: t.clock,
  blobs: t.blobs,
  stopping: new AbortController().signal,
  log: silentLog,
  readings,
  commits: new ChangeCommits({ sql: t.sql, clock: t.clock }),
});
const text = (size: number) => Buffer.alloc(size, "a line that compresses well\n");
const put = (bucket: BucketRef, key: string, bytes: Uint8Array) =>
  t.objects.put(bucket, { key, ...PLAIN, body: bodyOf(bytes) });
const get = async (bucket: BucketRef, key: string, range?: { start: number; end: number }) =>
  contentOf((await t.objects.read(bucket, { key })).open(range));
const tierOf = async (bucket: BucketRef, key: string) => (await t.objects.find(bucket, { key }))?.tier;
const namesOf = async (bucket: BucketRef) => (await t.stored()).filter((name) => name.includes(bucket.id));
const fileOf = (name: string) => blobFile(blobsFolder(t.dataDir), name);
const transitions = (bucket: BucketRef, ...rules: { days: number; tier: Tier }[][]) =>
  t.db.bucket.update({
    where: { id: bucket.id },
    data: { lifecycleRules: rules.map((each, i) => ({ id: `${i}`, prefix: "", enabled: true, transitions: each })) },
  });
const sweepRemovals = async () => {
  t.clock.advance(REMOVAL_DELAY_MS);
  await removeDueBlobs(parts());
};
/** Figures, rows and files say the same. */
const expectSound = async () => {
  const { counted, summed } = await t.usage(tenantId);
  expect(counted).toEqual(summed);
  const { rows } = await t.sql.query(
    `SELECT b.id FROM buckets b WHERE (b.warm_bytes, b.cold_bytes, b.archive_bytes) <> (
       SELECT coalesce(sum(size) FILTER (WHERE tier = 'warm'), 0), coalesce(sum(size) FILTER (WHERE tier = 'cold'), 0),
         coalesce(sum(size) FILTER (WHERE tier = 'archive'), 0) FROM object_versions v WHERE v.bucket_id = b.id)`,
  );
  expect(rows).toEqual([]);
  await sweepRemovals();
  expect(await t.stored()).toEqual(await t.referenced());
};

/** They are found, and removed a week later. */
async function removeAllOrphans(): Promise<void> {
  for (const days of [1, 8.1])
    await removeOrphans({ ...parts(), clock: { now: () => new Date(Date.now() + days * DAY_MS) } });
}

describe("a transition", () => {
  // Days end at midnight.
  beforeEach(() => t.clock.advance(DAY_MS - (t.clock.now().getTime() % DAY_MS)));

  it("goes only downwards, to the coldest class that is due, whatever the order of the rules", async () => {
    const bucket = await t.bucket(tenantId);
    await transitions(bucket, [{ days: 2, tier: "warm" }], [{ days: 1, tier: "archive" }], [{ days: 1, tier: "cold" }]);
    await put(bucket, "k", text(100));
    await put({ ...bucket, tier: "archive" }, "frozen", text(100));
    t.clock.advance(DAY_MS);
    for (let i = 0; i < 2; i++) {
      await moveByAge(parts());
      expect([await tierOf(bucket, "k"), await tierOf(bucket, "frozen")]).toEqual(["archive", "archive"]);
      t.clock.advance(5 * DAY_MS);
    }
    expect((await namesOf(bucket)).filter((name) => name.endsWith(".archive"))).toHaveLength(2);
    await expectSound();
    const counts = { ok: 0, lost: 0 };
    await scrubObjects(parts(), counts, { runBytes: Number.POSITIVE_INFINITY });
    expect(counts).toEqual({ ok: 2, lost: 0 });
  });

  it("moves the bytes of versions by age to the folder of the class, smaller where they compress, and reads are the same", async () => {
    const bucket = await t.bucket(tenantId, "on");
    const moves = [
      { days: 1, tier: "warm" },
      { days: 3, tier: "cold" },
    ];
    const lifecycleRules = [{ id: "1", prefix: "", enabled: true, transitions: moves, noncurrent_transitions: moves }];
    await t.db.bucket.update({ where: { id: bucket.id }, data: { lifecycleRules } });
    const [bytes, noise] = [text(3 * MIB), randomBytes(MIB + 5)];
    const older = await put(bucket, "a", Buffer.from("older"));
    const stored = await put(bucket, "a", bytes);
    await put(bucket, "noise", noise);
    t.clock.advance(DAY_MS - 1);
    await put(bucket, "young", text(10));
    await moveByAge(parts());
    expect(await tierOf(bucket, "a")).toBe("hot");
    t.clock.advance(1);
    for (const [days, tier] of [
      [0, "warm"],
      [2, "cold"],
    ] as const) {
      t.clock.advance(days * DAY_MS);
      await moveByAge(parts());
      const { restore: _, ...found } = (await t.objects.find(bucket, { key: "a" })) ?? {};
      expect(found).toEqual({ ...stored, tier });
      expect((await t.objects.find(bucket, { key: "a", versionId: older.versionId }))?.tier).toBe(tier);
      await sweepRemovals();
      const files = (await namesOf(bucket)).filter((name) => name.endsWith(`.${tier}`)).map(fileOf);
      expect(files.filter((file) => file.includes(`/.${tier}/`) && existsSync(file))).toHaveLength(3);
      expect(Math.max(...files.map((file) => statSync(file).size))).toBeLessThan(noise.length + 100);
      expect((await get(bucket, "a")).equals(bytes)).toBe(true);
      const range = { start: MIB - 2, end: 2 * MIB + 1 };
      expect((await get(bucket, "a", range)).equals(bytes.subarray(range.start, range.end))).toBe(true);
      expect((await get(bucket, "noise")).equals(noise)).toBe(true);
    }
    expect(await tierOf(bucket, "young")).toBe("warm");
    await expectSound();
  });

  it("leaves a version whole where a process dies before or after its commit", async () => {
    const bucket = await t.bucket(tenantId);
    await transitions(bucket, [{ days: 1, tier: "warm" }]);
    const bytes = text(2 * MIB);
    await put(bucket, "k", bytes);
    t.clock.advance(DAY_MS);
    const { commits } = parts();
    const dies = { commit: () => Promise.reject(new Error("killed")) } as unknown as ChangeCommits;
    await expect(moveByAge({ ...parts(), commits: dies })).rejects.toThrow("killed");
    expect([await tierOf(bucket, "k"), (await namesOf(bucket)).length]).toEqual(["hot", 2]);
    expect((await get(bucket, "k")).equals(bytes)).toBe(true);
    await removeAllOrphans();
    expect(await namesOf(bucket)).toHaveLength(1);
    const diesAfter = {
      commit: async (...change: Parameters<ChangeCommits["commit"]>) => {
        await commits.commit(...change);
        throw new Error("killed");
      },
    } as unknown as ChangeCommits;
    await expect(moveByAge({ ...parts(), commits: diesAfter })).rejects.toThrow("killed");
    await moveByAge(parts());
    expect(await tierOf(bucket, "k")).toBe("warm");
    expect((await get(bucket, "k")).equals(bytes)).toBe(true);
    await expectSound();
  });

  it("loses to a writer of the key, and to another process that moves the same version", async () => {
    const bucket = await t.bucket(tenantId);
    await transitions(bucket, [{ days: 1, tier: "cold" }]);
    await put(bucket, "replaced", text(100));
    await put(bucket, "twice", text(MIB));
    t.clock.advance(DAY_MS);
    const { commits } = parts();
    const after = (write: () => Promise<unknown>) =>
      ({
        commit: async (...change: Parameters<ChangeCommits["commit"]>) => {
          await write();
          return commits.commit(...change);
        },
      }) as unknown as ChangeCommits;
    const replace = () => put(bucket, "replaced", Buffer.from("new"));
    await Promise.all([moveByAge({ ...parts(), commits: after(replace) }), moveByAge(parts())]);
    expect([await tierOf(bucket, "replaced"), await tierOf(bucket, "twice")]).toEqual(["hot", "cold"]);
    expect((await get(bucket, "replaced")).toString()).toBe("new");
    expect((await get(bucket, "twice")).equals(text(MIB))).toBe(true);
    await expectSound();
  });

  it("moves an upload in parts by steps, and goes on where a run ended", async () => {
    const bucket = await t.bucket(tenantId);
    const upload = await t.objects.createUpload(bucket, { key: "big", properties: PLAIN });
    const pieces = [text(5 * MIB), randomBytes(5 * MIB), text(77)];
    const stored = [];
    for (const [i, piece] of pieces.entries()) {
      stored.push(await t.objects.putPart(bucket, { ...upload, number: i + 1, body: bodyOf(piece) }));
    }
    await t.objects.completeUpload(bucket, { ...upload, parts: stored });
    await transitions(bucket, [{ days: 1, tier: "archive" }]);
    t.clock.advance(DAY_MS);
    const { commits } = parts();
    let steps = 0;
    const counted = {
      commit: async (...change: Parameters<ChangeCommits["commit"]>) => {
        if (++steps === 2) throw new Error("killed");
        return commits.commit(...change);
      },
    } as unknown as ChangeCommits;
    await expect(moveByAge({ ...parts(), commits: counted }, { stepBytes: MIB })).rejects.toThrow("killed");
    expect(await tierOf(bucket, "big")).toBe("hot");
    expect((await get(bucket, "big")).equals(Buffer.concat(pieces))).toBe(true);
    await moveByAge({ ...parts(), commits: counted }, { stepBytes: MIB });
    const found = await t.objects.find(bucket, { key: "big" });
    expect([found?.tier, found?.partSizes]).toEqual(["archive", pieces.map(({ length }) => length)]);
    await removeAllOrphans();
    await expectSound();
  });
});

describe("an object of a class", () => {
  it("is stored there at once, where the bucket or the object says so, in parts and as a copy too", async () => {
    const bucket = { ...(await t.bucket(tenantId)), tier: "warm" as const };
    const bytes = text(2 * MIB);
    expect((await put(bucket, "default", bytes)).tier).toBe("warm");
    const named = { key: "named", ...PLAIN, body: bodyOf(bytes), tier: "hot" as const };
    expect((await t.objects.put(bucket, named)).tier).toBe("hot");
    const upload = await t.objects.createUpload(bucket, { key: "parts", properties: PLAIN, tier: "cold" });
    const part = await t.objects.putPart(bucket, { ...upload, number: 1, body: bodyOf(bytes) });
    await t.objects.completeUpload(bucket, { ...upload, parts: [part] });
    const from = (key: string) => ({ bucket, choice: { key } });
    await t.objects.copy(from("parts"), { bucket, key: "parts", tier: "hot" });
    await t.objects.copy(from("named"), { bucket, key: "copy", tier: "cold" });
    const keys = ["copy", "default", "named", "parts"];
    expect(await Promise.all(keys.map((key) => tierOf(bucket, key)))).toEqual(["cold", "warm", "hot", "hot"]);
    expect((await t.objects.list(bucket, { limit: 10 })).objects.map(({ tier }) => tier)).toEqual([
      "cold",
      "warm",
      "hot",
      "hot",
    ]);
    for (const key of keys) expect((await get(bucket, key)).equals(bytes)).toBe(true);
    await expectSound();
  });

  it("of the archive is read only after a restore and its delay, for the days of it, and then no longer", async () => {
    const bucket = { ...(await t.bucket(tenantId)), tier: "archive" as const };
    await put(bucket, "k", text(100));
    await put(bucket, "empty", Buffer.alloc(0));
    const archived = { code: "conflict", details: { reason: "archived" } };
    const copy = () => t.objects.copy({ bucket, choice: { key: "k" } }, { bucket, key: "copy", tier: "hot" });
    const expectArchived = async () => {
      await expect(get(bucket, "k")).rejects.toMatchObject(archived);
      await expect(copy()).rejects.toMatchObject(archived);
    };
    await expectArchived();
    await expect(get(bucket, "empty")).rejects.toMatchObject(archived);
    const restore = (days: number) => t.objects.restore(bucket, { key: "k" }, days);
    const start = t.clock.now().getTime() + RESTORE_DELAY_MS;
    const expected = { from: new Date(start), until: new Date(start + 2 * DAY_MS) };
    expect((await restore(2)).restore).toEqual(expected);
    await expectArchived();
    await expect(restore(2)).rejects.toMatchObject({ details: { reason: "restore_in_progress" } });
    t.clock.advance(RESTORE_DELAY_MS);
    expect((await get(bucket, "k")).equals(text(100))).toBe(true);
    expect((await copy()).tier).toBe("hot");
    t.clock.advance(DAY_MS);
    expect((await restore(3)).restore).toEqual({ from: new Date(start), until: new Date(start + 4 * DAY_MS) });
    t.clock.advance(3 * DAY_MS - 1);
    expect(await get(bucket, "k")).toHaveLength(100);
    t.clock.advance(1);
    await expectArchived();
    expect((await restore(1)).restore?.from).toEqual(new Date(start + 4 * DAY_MS + RESTORE_DELAY_MS));
    const notArchived = t.objects.restore(bucket, { key: "copy" }, 1);
    await expect(notArchived).rejects.toMatchObject({ code: "conflict", details: { reason: "not_archived" } });
  });
});
