-- CreateEnum
CREATE TYPE "BucketVersioning" AS ENUM ('off', 'on', 'suspended');

-- CreateTable
CREATE TABLE "buckets" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "versioning" "BucketVersioning" NOT NULL DEFAULT 'off',
    "public_read" BOOLEAN NOT NULL DEFAULT false,
    "cors_rules" JSONB NOT NULL DEFAULT '[]',
    "lifecycle_rules" JSONB NOT NULL DEFAULT '[]',
    "objects" BIGINT NOT NULL DEFAULT 0,
    "versions" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "deleting_since" TIMESTAMPTZ(3),
    "deleting_total" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "buckets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "buckets_name_key" ON "buckets"("name");

-- CreateIndex
CREATE INDEX "buckets_tenant_id_mode_id_idx" ON "buckets"("tenant_id", "mode", "id");

-- CreateIndex
CREATE INDEX "buckets_project_id_mode_idx" ON "buckets"("project_id", "mode");
