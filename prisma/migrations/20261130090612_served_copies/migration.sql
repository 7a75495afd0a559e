-- DropForeignKey
ALTER TABLE "snapshot_readers" DROP CONSTRAINT "snapshot_readers_topic_fkey";

-- DropTable
DROP TABLE "snapshot_readers";

-- DropTable
DROP TABLE "snapshots";

-- CreateTable
CREATE TABLE "served_versions" (
    "id" INTEGER NOT NULL,
    "version" BIGINT NOT NULL,
    "forgotten" BIGINT NOT NULL,

    CONSTRAINT "served_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "served_changes" (
    "topic" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "served_changes_pkey" PRIMARY KEY ("topic","key")
);

-- CreateTable
CREATE TABLE "serving_processes" (
    "process" TEXT NOT NULL,
    "topics" TEXT[],
    "version" BIGINT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "serving_processes_pkey" PRIMARY KEY ("process")
);

-- CreateIndex
CREATE UNIQUE INDEX "served_changes_version_key" ON "served_changes"("version");
