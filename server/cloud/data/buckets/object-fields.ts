import { z } from "zod";
import { toWire } from "../../../kernel/to-wire";
import type { ObjectVersion } from "../objects/objects";
import { RetentionMode } from "./bucket-lock";
import { StorageTier } from "./storage-tier";

const KEY_BYTES_MAX = 1024;

/** Postgres stores no NUL, and UTF-8 has no unpaired surrogates. */
const isStorable = (text: string): boolean =>
  Buffer.byteLength(text) <= KEY_BYTES_MAX && !text.includes("\0") && text.isWellFormed();

export const ObjectKey = z
  .string()
  .min(1, "expected the key of an object")
  .max(KEY_BYTES_MAX, "expected at most 1,024 bytes")
  .refine(isStorable, "expected at most 1,024 bytes of UTF-8 without NUL")
  .describe("The key of an object, at most 1,024 bytes in UTF-8; it may have slashes");

/** The key as a part of a path, where slashes are sent as `%2F`. */
export const keyInPath = ObjectKey.describe(
  "The key of an object, percent-encoded: `/` is `%2F`. The keys `.` and `..` cannot be sent in a path",
);

export const versionId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,128}$/, "expected the id of a version")
  .optional()
  .describe("A version of the object; default: the latest");

export const StoredObject = z
  .object({
    key: z.string(),
    size: z.int().min(0).describe("Bytes"),
    etag: z.string().describe("Changes with the content; without quotes"),
    content_type: z.string(),
    last_modified: z.iso.datetime(),
    version_id: z.string().nullable().describe("null for a version from a time without versioning"),
    tier: StorageTier.describe("The storage class; `archive`: it can be read only after a restore"),
  })
  .meta({ id: "StoredObject" });
export type StoredObject = z.output<typeof StoredObject>;

export const ObjectRetention = z.strictObject({ mode: RetentionMode, until: z.iso.datetime() });

/** An object with what lists leave out. */
export const ObjectMetadata = StoredObject.extend({
  metadata: z.record(z.string(), z.string()).describe("What the client stored as `x-amz-meta-…`"),
  headers: z
    .record(z.string(), z.string())
    .describe("Headers of its downloads, such as `cache-control` and `content-disposition`"),
  checksums: z.record(z.string(), z.string()).describe("Base64, by algorithm: CRC32, CRC32C, CRC64NVME, SHA1, SHA256"),
  restore: z
    .object({ readable_from: z.iso.datetime(), readable_until: z.iso.datetime() })
    .nullable()
    .describe("When an archived object that was restored can be read; null if it was never restored"),
  retention: ObjectRetention.nullable().describe("Until when this version cannot be deleted, also if that has passed"),
  legal_hold: z.boolean().describe("This version cannot be deleted until the hold is switched off"),
}).meta({ id: "ObjectMetadata" });

export const toStoredObject = (version: ObjectVersion): StoredObject =>
  toWire(StoredObject, version, {
    version_id: version.versionId === "null" ? null : version.versionId,
  });

export const toObjectMetadata = (version: ObjectVersion): z.output<typeof ObjectMetadata> => ({
  ...toStoredObject(version),
  metadata: { ...version.userMetadata },
  headers: { ...version.headers },
  checksums: { ...version.checksums } as Record<string, string>,
  restore: version.restore
    ? { readable_from: version.restore.from.toISOString(), readable_until: version.restore.until.toISOString() }
    : null,
  retention: version.retention
    ? { mode: version.retention.mode, until: new Date(version.retention.until).toISOString() }
    : null,
  legal_hold: version.legalHold ?? false,
});
