-- Outside Prisma's schema. Keys compare by their UTF-8 bytes, as in S3.

-- Every version of every object, delete markers included. Blobs are named after `id`: <tenant>/<bucket>/<id>, or, if
-- `parts` is set, <tenant>/<bucket>/<id>.<number>.<suffix> for each [number, suffix, bytes] of it.
CREATE TABLE "object_versions" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenant_id" TEXT NOT NULL,
    "bucket_id" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    -- Order of the versions of a key: the newest has the lowest.
    "rank" BIGINT NOT NULL,
    -- 'null', or a text that begins with the rank.
    "version_id" TEXT NOT NULL,
    "is_latest" BOOLEAN NOT NULL,
    "is_delete_marker" BOOLEAN NOT NULL,
    "size" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,
    "last_modified" TIMESTAMPTZ(3) NOT NULL,
    -- When another version became the latest.
    "noncurrent_since" TIMESTAMPTZ(3),
    "content_type" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "user_metadata" JSONB NOT NULL,
    "checksums" JSONB NOT NULL,
    "checksum_type" TEXT NOT NULL,
    "parts" JSONB
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Versions in the order of their listing, and a version by its id, which contains the rank.
CREATE UNIQUE INDEX "object_versions_rank_key" ON "object_versions"("bucket_id", "key", "rank");

-- What a listing of objects reads, and nothing else: neither older versions nor deleted keys.
CREATE UNIQUE INDEX "object_versions_current_key" ON "object_versions"("bucket_id", "key")
    WHERE "is_latest" AND NOT "is_delete_marker";

-- The version without an id, where it is not the latest.
CREATE UNIQUE INDEX "object_versions_null_key" ON "object_versions"("bucket_id", "key")
    WHERE "version_id" = 'null' AND NOT "is_latest";

-- Multipart uploads under way, and for a day the completed ones, so that a repeated completion has the same result.
CREATE TABLE "object_uploads" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenant_id" TEXT NOT NULL,
    "bucket_id" TEXT NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "content_type" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "user_metadata" JSONB NOT NULL,
    "algorithm" TEXT,
    "checksum_type" TEXT,
    -- The result of the completion.
    "completed" JSONB
);

CREATE INDEX "object_uploads_key_idx" ON "object_uploads"("bucket_id", "key", "id") WHERE "completed" IS NULL;
CREATE INDEX "object_uploads_started_at_idx" ON "object_uploads"("started_at");

-- Its blob is <tenant>/<bucket>/<upload_id>.<number>.<suffix>.
CREATE TABLE "object_parts" (
    "upload_id" TEXT NOT NULL REFERENCES "object_uploads"("id") ON DELETE CASCADE,
    "number" INTEGER NOT NULL,
    "suffix" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,
    "checksums" JSONB NOT NULL,
    "last_modified" TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY ("upload_id", "number")
);

-- Blobs that nothing refers to any more, and when they are removed from the store.
CREATE TABLE "blob_removals" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "remove_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE INDEX "blob_removals_remove_at_idx" ON "blob_removals"("remove_at");

-- How far the background work on all objects has come, by its name.
CREATE TABLE "object_sweeps" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "position" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL
);
