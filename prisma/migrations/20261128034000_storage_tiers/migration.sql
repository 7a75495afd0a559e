CREATE TYPE "StorageTier" AS ENUM ('hot', 'warm', 'cold', 'archive');

ALTER TABLE "buckets" ADD COLUMN "tier" "StorageTier" NOT NULL DEFAULT 'hot',
    ADD COLUMN "warm_bytes" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "cold_bytes" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "archive_bytes" BIGINT NOT NULL DEFAULT 0;

-- The blob of a version is <tenant>/<bucket>/<id>, with .<blob> if that is set; its end is the storage class, as is that
-- of the suffixes of parts.
ALTER TABLE "object_versions" ADD COLUMN "tier" "StorageTier" NOT NULL DEFAULT 'hot',
    ADD COLUMN "blob" TEXT,
    -- From when to when an archived version can be read.
    ADD COLUMN "restore_at" TIMESTAMPTZ(3),
    ADD COLUMN "restore_until" TIMESTAMPTZ(3);

ALTER TABLE "object_uploads" ADD COLUMN "tier" "StorageTier" NOT NULL DEFAULT 'hot';

ALTER TABLE "bucket_hours" ADD COLUMN "warm_bytes" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "cold_bytes" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "archive_bytes" BIGINT NOT NULL DEFAULT 0;

-- The SKU of stored bytes is their class.
UPDATE "usage_days" SET "sku" = 'hot' WHERE "service" = 'storage' AND "sku" = 'standard';
