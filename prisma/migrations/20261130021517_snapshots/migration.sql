-- CreateTable
CREATE TABLE "snapshots" (
    "topic" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "snapshots_pkey" PRIMARY KEY ("topic")
);

-- CreateTable
CREATE TABLE "snapshot_readers" (
    "topic" TEXT NOT NULL,
    "process" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "snapshot_readers_pkey" PRIMARY KEY ("topic","process")
);

-- AddForeignKey
ALTER TABLE "snapshot_readers" ADD CONSTRAINT "snapshot_readers_topic_fkey" FOREIGN KEY ("topic") REFERENCES "snapshots"("topic") ON DELETE CASCADE ON UPDATE CASCADE;
