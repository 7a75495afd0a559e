import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { expect, it } from "vitest";
import { removeDueBlobs, removeOrphans } from "../../../server/cloud/data/objects/blob-sweeps";
import type { BucketRef } from "../../../server/cloud/data/objects/objects";
import { contentOf, objectsTest, silentLog } from "../../factories/objects";
import { openForFile } from "../../factories/open-for-file";
import { isLongRun } from "../../factories/sampled";
import { testProgram } from "../../factories/test-program";
import { contentFor, isMultipart, partsFor } from "./object-content";

/** The name of a statement, or "blob": the storing of the bytes. */
const STEPS = ["blob", "objects_insert", "objects_count", "COMMIT", "objects_place"];
const MOMENTS = ["before", "during", "after"];

interface Note {
  what: "begin" | "end";
  key: string;
  version: number;
}

const t = await openForFile(objectsTest());
const program = await testProgram(path.join(import.meta.dirname, "object-process.ts"));

/** What a process wrote down until it killed itself. */
function runToDeath(args: readonly string[]): Promise<Note[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, t.url, t.dataDir, ...args], (failure, stdout, stderr) => {
      if (failure?.signal !== "SIGKILL") return reject(new Error(`It ended otherwise: ${failure?.message} ${stderr}`));
      const lines = stdout.split("\n").filter(Boolean);
      resolve(lines.map((line) => JSON.parse(line) as Note));
    });
  });
}

/** The versions of a key that may be stored: the last that was acknowledged, and one that was begun after it. */
function allowedOf(notes: readonly Note[], key: string): number[] {
  const own = notes.filter((note) => note.key === key);
  const acknowledged = own.findLast(({ what }) => what === "end")?.version ?? 0;
  return [acknowledged, own.at(-1)?.version ?? 0];
}

const wholeContent = (key: string, version: number): Buffer =>
  isMultipart(key) ? Buffer.concat(partsFor(key, version)) : contentFor(key, version);

async function assertWhole(bucket: BucketRef, key: string, allowed: readonly number[]): Promise<void> {
  const found = await t.objects.find(bucket, { key });
  if (!found) return expect(allowed, `${key} is missing`).toContain(0);
  const { open, version } = await t.objects.read(bucket, { key });
  const bytes = await contentOf(open());
  const expected = allowed.filter((each) => each > 0).map((each) => wholeContent(key, each));
  expect(
    expected.some((each) => each.equals(bytes)),
    `${key} is one of ${allowed}`,
  ).toBe(true);
  if (!isMultipart(key)) expect(version.etag).toBe(createHash("md5").update(bytes).digest("hex"));
}

it("kill -9 during puts, completions, deletes and moves between classes tears nothing, loses nothing acknowledged and leaves nothing behind", async () => {
  const bucket = await t.bucket(await t.tenant());
  const rule = { id: "1", prefix: "", enabled: true, transitions: [{ days: 0, tier: "warm" }] };
  await t.db.bucket.update({ where: { id: bucket.id }, data: { lifecycleRules: [rule] } });
  const keys = new Set<string>();
  let run = 0;
  let acknowledged = 0;
  for (const step of STEPS) {
    // In a run that is not long each step has one moment, and each moment a step.
    const moments = isLongRun ? MOMENTS : MOMENTS.slice(run % MOMENTS.length).slice(0, 1);
    for (const moment of moments) {
      const pass = `${2 + ((run * 5) % 13)}`;
      const notes = await runToDeath([JSON.stringify(bucket), `${run++}`, step, pass, moment]);
      acknowledged += notes.filter(({ what }) => what === "end").length;
      for (const key of new Set(notes.map((note) => note.key))) {
        await assertWhole(bucket, key, allowedOf(notes, key));
        keys.add(key);
      }
      const { counted, summed } = await t.usage(bucket.tenantId);
      expect(counted).toEqual(summed);
    }
  }
  expect(acknowledged).toBeGreaterThan(isLongRun ? 20 : 6);
  const parts = {
    sql: t.sql,
    blobs: t.blobs,
    log: silentLog,
    stopping: new AbortController().signal,
    clock: { now: () => new Date(Date.now() + 9 * 24 * 3_600_000) },
  };
  expect((await t.objects.list(bucket, { limit: 1000 })).objects.some(({ tier }) => tier === "warm")).toBe(true);
  await removeOrphans({ ...parts, clock: { now: () => new Date(Date.now() + 24 * 3_600_000) } });
  await removeOrphans(parts);
  await removeDueBlobs(parts);
  expect(await t.stored()).toEqual(await t.referenced());
  for (const { key } of (await t.objects.list(bucket, { limit: 1000 })).objects) expect(keys.has(key)).toBe(true);
}, 300_000);
