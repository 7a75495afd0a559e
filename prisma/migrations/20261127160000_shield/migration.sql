-- CreateEnum
CREATE TYPE "ShieldScanStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'canceled');

-- CreateTable
CREATE TABLE "shield_scans" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "bucket_id" TEXT NOT NULL,
    "bucket_name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "status" "ShieldScanStatus" NOT NULL DEFAULT 'queued',
    "failure" TEXT,
    "position" TEXT NOT NULL DEFAULT '',
    "objects_total" BIGINT,
    "bytes_total" BIGINT,
    "objects" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "batch_bytes" BIGINT NOT NULL DEFAULT 0,
    "unchanged" BIGINT NOT NULL DEFAULT 0,
    "binary" BIGINT NOT NULL DEFAULT 0,
    "partly" BIGINT NOT NULL DEFAULT 0,
    "unreadable" BIGINT NOT NULL DEFAULT 0,
    "findings" JSONB NOT NULL DEFAULT '{}',
    "new_findings" INTEGER NOT NULL DEFAULT 0,
    "resolved" INTEGER NOT NULL DEFAULT 0,
    "omitted" BIGINT NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim" TEXT,
    "claimed_until" TIMESTAMPTZ(3),
    "turn_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "shield_scans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shield_findings" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "bucket_id" TEXT NOT NULL,
    "bucket_name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "value_hash" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "confidence" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "offset" BIGINT,
    "encoding" TEXT NOT NULL,
    "occurrences" INTEGER NOT NULL,
    "matches" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "last_scan_id" TEXT NOT NULL,

    CONSTRAINT "shield_findings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shield_objects" (
    "bucket_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "etag" TEXT NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "rules_version" TEXT NOT NULL,
    "coverage" TEXT NOT NULL,
    "omitted" INTEGER NOT NULL,
    "last_scan_id" TEXT NOT NULL,

    CONSTRAINT "shield_objects_pkey" PRIMARY KEY ("bucket_id","key")
);

-- CreateIndex
CREATE INDEX "shield_scans_tenant_id_mode_id_idx" ON "shield_scans"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "shield_scans_finished_at_idx" ON "shield_scans"("finished_at");

-- CreateIndex
CREATE INDEX "shield_findings_tenant_id_mode_id_idx" ON "shield_findings"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "shield_findings_bucket_id_last_scan_id_idx" ON "shield_findings"("bucket_id", "last_scan_id");

-- CreateIndex
CREATE INDEX "shield_findings_resolved_at_idx" ON "shield_findings"("resolved_at");

-- CreateIndex
CREATE UNIQUE INDEX "shield_findings_bucket_id_key_rule_value_hash_key" ON "shield_findings"("bucket_id", "key", "rule", "value_hash");

-- A bucket has one scan at a time. Idle workers look here for work.
CREATE UNIQUE INDEX "shield_scans_open_idx" ON "shield_scans"("bucket_id") WHERE "finished_at" IS NULL;
