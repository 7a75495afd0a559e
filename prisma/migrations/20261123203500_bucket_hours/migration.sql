-- One default bucket per project and mode, also when two processes create it at once.
CREATE UNIQUE INDEX "buckets_default_key" ON "buckets"("project_id", "mode") WHERE "is_default";

-- Deletions that are under way, which every worker looks for.
CREATE INDEX "buckets_deleting_idx" ON "buckets"("deleting_since") WHERE "deleting_since" IS NOT NULL;

-- Outside Prisma's schema. What a bucket had in an hour; an hour without a row is like the last one before it that has
-- one. Kept for 90 days.
CREATE TABLE "bucket_hours" (
    "bucket_id" TEXT NOT NULL REFERENCES "buckets"("id") ON DELETE CASCADE,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "objects" BIGINT NOT NULL,
    "versions" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,
    PRIMARY KEY ("bucket_id", "hour")
);

CREATE INDEX "bucket_hours_hour_idx" ON "bucket_hours"("hour");
