import fc from "fast-check";
import { expect, it } from "vitest";
import { objectsTest } from "../../../../test/factories/objects";
import { openForFile } from "../../../../test/factories/open-for-file";
import type { BucketRef } from "./objects";
import { versionIdOf } from "./version-row";

const t = await openForFile(objectsTest());
const tenantId = await t.tenant();

/** Characters whose order differs between UTF-8 and UTF-16, delimiters, and the last character of all. */
const characters = fc.constantFrom(
  "a",
  "b",
  "/",
  "-",
  "\u{1}",
  "\u{7f}",
  "é",
  "\u{ffff}",
  "\u{e000}",
  "\u{1f600}",
  "\u{10ffff}",
);
const texts = (maxLength: number) => fc.array(characters, { maxLength }).map((all) => all.join(""));
const keys = fc.uniqueArray(
  texts(6).filter((key) => key !== ""),
  { maxLength: 40 },
);

async function insert(
  bucket: BucketRef,
  all: readonly { key: string; kind: "object" | "deleted" | "two" }[],
): Promise<void> {
  const rows = all.flatMap(({ key, kind }, i) => {
    const latest = { key, rank: -2, isLatest: true, isMarker: kind === "deleted", id: `${bucket.id}0000${i}` };
    return kind === "object"
      ? [latest]
      : [latest, { ...latest, rank: -1, isLatest: false, isMarker: false, id: `${latest.id}0` }];
  });
  await t.sql.query(
    `INSERT INTO object_versions (id, tenant_id, bucket_id, key, rank, version_id, is_latest, is_delete_marker, size, etag,
       last_modified, content_type, headers, user_metadata, checksums, checksum_type)
     SELECT r.id, $1, $2, r.key, r.rank, r."versionId", r."isLatest", r."isMarker", 1, 'e', now(), 't', '{}', '{}', '{}', 'FULL_OBJECT'
     FROM json_to_recordset($3::json) AS r(id text, "versionId" text, key text, rank bigint, "isLatest" bool, "isMarker" bool)`,
    [tenantId, bucket.id, JSON.stringify(rows.map((row) => ({ ...row, versionId: versionIdOf(row) })))],
  );
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What a list has, after S3's description: entries after `after`, where a common prefix counts as one entry. */
function expected(
  all: readonly string[],
  { prefix, delimiter, after }: { prefix: string; delimiter: string; after: string },
) {
  const entries = new Set<string>();
  for (const key of all.toSorted(byBytes)) {
    if (!key.startsWith(prefix)) continue;
    const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    const entry = at < 0 ? `k:${key}` : `p:${key.slice(0, at + delimiter.length)}`;
    if (byBytes(entry.slice(2), after) > 0) entries.add(entry);
  }
  return [...entries];
}

it("pages of any size have the entries of a simple model, whatever the keys, the prefix and the delimiter are", async () => {
  const property = fc.asyncProperty(
    fc.array(
      fc.record({ key: fc.string(), kind: fc.constantFrom("object" as const, "deleted" as const, "two" as const) }),
      { minLength: 40, maxLength: 40 },
    ),
    keys,
    fc.array(
      fc.record({
        prefix: texts(2),
        delimiter: texts(2),
        after: fc.oneof(fc.constant(""), texts(4)),
        limit: fc.integer({ min: 1, max: 7 }),
      }),
      { minLength: 4, maxLength: 4 },
    ),
    async (kinds, chosen, questions) => {
      const bucket = await t.bucket(tenantId);
      const rows = chosen.map((key, i) => ({ key, kind: kinds[i]?.kind ?? ("object" as const) }));
      await insert(bucket, rows);
      const current = rows.filter(({ kind }) => kind !== "deleted").map(({ key }) => key);
      for (const { limit, ...question } of questions) {
        expect(await pages(bucket, question, limit)).toEqual(expected(current, question));
        const versions = await versionPages(bucket, question, limit);
        expect([...new Set(versions)]).toEqual(expected(chosen, question));
        const count = rows.filter(({ kind, key }) => kind !== "object" && versions.includes(`k:${key}`)).length;
        expect(versions.length).toBe(new Set(versions).size + count);
      }
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

type Question = { prefix: string; delimiter: string; after: string };

async function pages(bucket: BucketRef, { after, ...question }: Question, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let from: string | undefined = after;
  for (let n = 0; n < 100 && from !== undefined; n++) {
    const page = await t.objects.list(bucket, { ...question, after: from, limit });
    const entries = [...page.objects.map(({ key }) => `k:${key}`), ...page.prefixes.map((prefix) => `p:${prefix}`)];
    expect(entries.length).toBeLessThanOrEqual(limit);
    if (page.next !== undefined) expect(entries.length).toBe(limit);
    seen.push(...entries.sort((a, b) => byBytes(a.slice(2), b.slice(2))));
    from = page.next;
  }
  return seen;
}

async function versionPages(bucket: BucketRef, { after, ...question }: Question, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let from: { after: string; afterVersionId?: string } | undefined = { after };
  for (let n = 0; n < 200 && from !== undefined; n++) {
    const page = await t.objects.listVersions(bucket, { ...question, ...from, limit });
    const entries = [...page.versions.map(({ key }) => `k:${key}`), ...page.prefixes.map((prefix) => `p:${prefix}`)];
    seen.push(...entries.sort((a, b) => byBytes(a.slice(2), b.slice(2))));
    from = page.next && { after: page.next.key, afterVersionId: page.next.versionId };
  }
  return seen;
}

it("a list of impossible texts is empty or ignores them", async () => {
  const bucket = await t.bucket(tenantId);
  await insert(bucket, [{ key: "a", kind: "object" }]);
  const list = async (options: object) => (await t.objects.list(bucket, { limit: 10, ...options })).objects.length;
  expect(await list({ prefix: "\0" })).toBe(0);
  expect(await list({ prefix: "\ud800" })).toBe(0);
  expect(await list({ prefix: "x".repeat(2000) })).toBe(0);
  expect(await list({ delimiter: "\0" })).toBe(1);
  expect(await list({ after: "\0" })).toBe(1);
  expect(await list({ after: "a\0" })).toBe(0);
  expect(await list({ after: "\ud800" })).toBe(0);
});
