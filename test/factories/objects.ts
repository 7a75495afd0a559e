import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createObjects } from "../../server/cloud/data/objects/create-objects";
import type { BucketRef, ObjectProperties, Objects } from "../../server/cloud/data/objects/objects";
import type { BlobStore } from "../../server/engines/objects/blob-store";
import { openBlobStore } from "../../server/engines/objects/open-blob-store";
import { ManualClock } from "../../server/kernel/clock";
import { newId } from "../../server/kernel/ids";
import { type TestDatabase, testDatabase } from "./postgres";

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const PLAIN: ObjectProperties = { contentType: "text/plain", headers: {}, userMetadata: {} };

/** Of objects that a test opens. */
export const TEST_SECRET = "a secret of tests";

interface Secrets {
  secret: string;
  previousSecret?: string;
}

export interface ObjectsTest extends TestDatabase {
  objects: Objects;
  blobs: BlobStore;
  clock: ManualClock;
  /** A tenant id without further rows, and its limits where they are not the default. */
  tenant(limits?: { bytes?: number; objects?: number }): Promise<string>;
  bucket(tenantId: string, versioning?: BucketRef["versioning"]): Promise<BucketRef>;
  setVersioning(bucket: BucketRef, versioning: BucketRef["versioning"]): Promise<BucketRef>;
  /** The objects as in another process, whose SVC_SECRET may be another one. */
  another(secrets?: Secrets): Objects;
  /** Usage as counted and as the sum of the rows. */
  usage(tenantId: string): Promise<{ counted: number[]; summed: number[] }>;
  /** The names of all blobs in the store. */
  stored(): Promise<string[]>;
  /** The names of all blobs that versions and parts refer to. */
  referenced(): Promise<string[]>;
  dataDir: string;
}

/** Objects on a database and a blob store of their own. */
export async function objectsTest(): Promise<ObjectsTest> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), "svc-objects-"));
  const blobs = await openBlobStore({ dataDir, objectsDiskShare: 1 });
  const clock = new ManualClock(new Date("2027-01-15T08:00:00.000Z"));
  const { sql, db } = database;
  const opened: Objects[] = [];
  const another = (secrets: Secrets = { secret: TEST_SECRET }) => {
    const objects = createObjects({ sql, db, clock, blobs, log: silentLog, ...secrets });
    opened.push(objects);
    return objects;
  };
  const objects = another();
  return {
    ...database,
    objects,
    blobs,
    clock,
    another,
    dataDir,
    tenant: async (limits = {}) => {
      const id = newId("ten", clock.now().getTime());
      const now = clock.now();
      await db.tenant.create({ data: { id, name: "t", createdAt: now } });
      const quotas = { storage_bytes: limits.bytes, storage_objects: limits.objects };
      for (const [resource, limit] of Object.entries(quotas)) {
        if (limit === undefined) continue;
        await db.quota.create({ data: { tenantId: id, resource, limit: BigInt(limit), setAt: now } });
      }
      return id;
    },
    bucket: async (tenantId, versioning = "off") => {
      const now = clock.now();
      const id = newId("bkt", now.getTime());
      await db.bucket.create({
        data: {
          id,
          tenantId,
          projectId: "prj_1",
          mode: "test",
          name: id.replace("_", "-"),
          versioning,
          createdAt: now,
          updatedAt: now,
        },
      });
      return { id, tenantId, versioning };
    },
    setVersioning: async (bucket, versioning) => {
      await db.bucket.update({ where: { id: bucket.id }, data: { versioning } });
      return { ...bucket, versioning };
    },
    usage: async (tenantId) => {
      const { rows } = await sql.query<{ counted: number[]; summed: number[] }>(
        `SELECT (SELECT json_build_array(sum(objects), sum(versions), sum(bytes)) FROM buckets WHERE tenant_id = $1) AS counted,
           json_build_array(count(*) FILTER (WHERE is_latest AND NOT is_delete_marker),
             count(*) FILTER (WHERE NOT is_delete_marker),
             coalesce(sum(size), 0) + (SELECT coalesce(sum(p.size), 0) FROM object_parts p JOIN object_uploads u ON u.id = p.upload_id WHERE u.tenant_id = $1)) AS summed
         FROM object_versions WHERE tenant_id = $1`,
        [tenantId],
      );
      return rows[0] ?? { counted: [], summed: [] };
    },
    stored: async () => {
      const names: string[] = [];
      for await (const batch of blobs.list({ olderThan: new Date(Date.now() + 60_000) })) names.push(...batch);
      return names.sort();
    },
    referenced: async () => {
      const { rows } = await sql.query<{ name: string }>(
        `SELECT tenant_id || '/' || bucket_id || '/' || id || coalesce('.' || blob, '.' || (p ->> 0) || '.' || (p ->> 1), '') AS name
         FROM object_versions LEFT JOIN jsonb_array_elements(parts) AS p ON true WHERE NOT is_delete_marker
         UNION ALL SELECT u.tenant_id || '/' || u.bucket_id || '/' || u.id || '.' || p.number || '.' || p.suffix
         FROM object_parts p JOIN object_uploads u ON u.id = p.upload_id`,
      );
      return rows.map(({ name }) => name).sort();
    },
    close: async () => {
      await Promise.all(opened.map((each) => each.stop()));
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const bodyOf = (text: string | Uint8Array) => ({ stream: chunks(text) });

export async function* chunks(text: string | Uint8Array): AsyncIterable<Uint8Array> {
  if (text.length > 0) yield Buffer.from(text as string);
}

export async function contentOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of stream) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}
